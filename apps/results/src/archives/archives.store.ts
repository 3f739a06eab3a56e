import { requestKey } from '@opendsr-service/contracts';
import { BulkWriter, DueTimes } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';
import type { ExportOrder } from '../export/export-source';
import {
  LEASE_MS,
  UNCOMPLETED_KEPT_MS,
  type Archive,
  type BuildResult,
  type BuiltArchive,
  type ClaimedArchive,
} from './archive';

const optionalDate = { type: Date, required: false } as const;
const archiveSchema = new Schema<Archive>(
  {
    _id: String,
    ws: String,
    kid: { type: String, required: false },
    dueAt: optionalDate,
    dueSince: optionalDate,
    sweepAt: optionalDate,
  },
  { strict: false, versionKey: false, autoIndex: false },
);
archiveSchema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
archiveSchema.index({ dueSince: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
archiveSchema.index({ sweepAt: 1 }, { partialFilterExpression: { sweepAt: { $exists: true } } });
archiveSchema.index({ ws: 1, kid: 1 }, { partialFilterExpression: { kid: { $exists: true } } });

const UNSET_WORK = { dueAt: 1, dueSince: 1, token: 1, order: 1 } as const;
const UNSET_ALL_BUT_STUB = {
  order: 1,
  dueAt: 1,
  dueSince: 1,
  token: 1,
  build: 1,
  kid: 1,
  chunks: 1,
  bytes: 1,
  sweepAt: 1,
} as const;

export class ArchivesStore {
  private readonly archives: Collection<Archive>;
  private readonly due: DueTimes<Archive>;
  private readonly writes: BulkWriter<Archive>;

  constructor(connection: Connection) {
    const model = connection.model<Archive>('Archive', archiveSchema, 'archives');
    this.archives = connection.collection<Archive>('archives');
    this.due = new DueTimes(model, { due: 'dueAt', filter: ['ws'] });
    this.writes = new BulkWriter(this.archives);
  }

  /** Releases the claims of a dead process. Call it only when no other process uses the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.due.releaseAll(now);
  }

  async addOrder({ ws, srid, kid, identities }: ExportOrder, dueAt: Date): Promise<void> {
    const fresh = { srid, state: 'building' as const, order: { kid, identities }, tries: 0, dueAt, dueSince: dueAt };
    await this.writes.upsert({ _id: requestKey(ws, srid), ws }, { $setOnInsert: fresh });
  }

  /** Starts the validity of the link. Changes nothing if no archive exists, or its completion is known. */
  async complete(ws: string, srid: string, completedAt: Date, expiresAt: Date): Promise<void> {
    const open = { _id: requestKey(ws, srid), ws, expiresAt: { $exists: false } };
    await this.writes.update(open, { $set: { completedAt, expiresAt, sweepAt: expiresAt } });
  }

  /** Cancels an archive that has no build. The sweep removes any other. */
  async cancelUnbuilt(ws: string, srid: string): Promise<void> {
    const unbegun = { _id: requestKey(ws, srid), ws, state: 'building' as const, kid: { $exists: false } };
    await this.archives.updateOne(unbegun, { $set: { state: 'forgotten' }, $unset: UNSET_ALL_BUT_STUB });
  }

  async find(ws: string, srid: string): Promise<Archive | undefined> {
    return (await this.archives.findOne({ _id: requestKey(ws, srid), ws })) ?? undefined;
  }

  async claimDue(now: Date, limit: number): Promise<ClaimedArchive[]> {
    const claims = await this.due.claim(now, { limit, leaseMs: LEASE_MS });
    return claims.map(({ document, token }) => ({ ...document, token }));
  }

  nextDueAfter(now: Date): Promise<Date | undefined> {
    return this.due.nextAfter(now);
  }

  /**
   * Stores build and key before the first chunk, so that a withdrawal based on an older state fails. False, here and
   * below: another builder has the claim.
   */
  async begin(
    archive: ClaimedArchive,
    { build, kid }: Pick<BuiltArchive, 'build' | 'kid'>,
    until: Date,
  ): Promise<boolean> {
    return this.change(archive, { $set: { build, kid, dueAt: until } });
  }

  async renew(archive: ClaimedArchive, until: Date): Promise<boolean> {
    return this.change(archive, { $set: { dueAt: until } });
  }

  markBuilt(archive: ClaimedArchive, outcome: BuildResult, builtAt: Date): Promise<boolean> {
    return this.end(archive, outcome, builtAt);
  }

  /** Changes nothing where another builder has the claim. */
  async markReported({ _id, ws, token }: ClaimedArchive): Promise<void> {
    await this.writes.update({ _id, ws, token }, { $unset: UNSET_WORK });
  }

  /** Stores that a reported archive is empty. Changes nothing where another builder has the claim. */
  async markEmpty(archive: ClaimedArchive, builtAt: Date): Promise<void> {
    await this.end(archive, { state: 'empty', matched: 0 }, builtAt, { $unset: UNSET_WORK });
  }

  async reschedule(archive: ClaimedArchive, dueAt: Date): Promise<boolean> {
    return this.change(archive, {
      $set: { dueAt, tries: archive.tries + 1 },
      $unset: { token: 1 },
    });
  }

  async findExpired(now: Date, limit: number): Promise<Archive[]> {
    return this.archives
      .find({ sweepAt: { $lte: now } })
      .sort({ sweepAt: 1 })
      .limit(limit)
      .toArray();
  }

  /** Keeps a stub, so that the link answers 410. A running builder loses its claim. */
  async removeData({ _id, ws }: Archive): Promise<void> {
    await this.archives.updateOne({ _id, ws }, { $set: { state: 'forgotten' }, $unset: UNSET_ALL_BUT_STUB });
  }

  findSealedBy(ws: string, kids: readonly string[]): AsyncIterable<Archive> {
    return this.archives.find({ ws, kid: { $in: [...kids] } });
  }

  /**
   * Withdraws a build. A finished archive answers 410, an unfinished one restarts at `now`. False: the archive has
   * changed.
   */
  async withdraw({ _id, ws, build, state }: BuiltArchive, now: Date): Promise<boolean> {
    const seen = { _id, ws, build, state };
    const changes: Partial<Record<Archive['state'], object>> = {
      ready: { $set: { state: 'forgotten' }, $unset: { order: 1 } },
      building: { $set: { dueAt: now, tries: 0 }, $min: { dueSince: now }, $unset: { token: 1 } },
    };
    const change = changes[state];
    if (!change) return true;
    const result = await this.archives.updateOne(seen, change);
    return result.matchedCount === 1;
  }

  async unsetBuild({ _id, ws, build }: BuiltArchive): Promise<void> {
    await this.archives.updateOne(
      { _id, ws, build, state: { $ne: 'ready' } },
      { $unset: { build: 1, kid: 1, chunks: 1, bytes: 1 } },
    );
  }

  /** Sets the sweep time unless the completion has set it. */
  private async end(archive: ClaimedArchive, outcome: BuildResult, builtAt: Date, more: object = {}): Promise<boolean> {
    const sweepAt = new Date(builtAt.getTime() + UNCOMPLETED_KEPT_MS);
    return (
      (await this.change(
        archive,
        { ...more, $set: { ...outcome, builtAt, sweepAt } },
        { expiresAt: { $exists: false } },
      )) || this.change(archive, { ...more, $set: { ...outcome, builtAt } })
    );
  }

  private async change({ _id, ws, token }: ClaimedArchive, update: object, where: object = {}): Promise<boolean> {
    const filter = { _id, ws, token, ...where };
    if ((await this.writes.update(filter, update)) === 'applied') return true;
    // Applied twice, each of these updates has the effect of one.
    const { matchedCount } = await this.archives.updateOne(filter, update);
    return matchedCount === 1;
  }
}
