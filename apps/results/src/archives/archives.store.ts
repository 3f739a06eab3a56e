import { randomUUID } from 'node:crypto';
import { requestKey } from '@opendsr-service/contracts';
import { DueSignal } from '@opendsr-service/service';
import { alikeUpdates, BulkWriter, CallJoiner, DueDocuments } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { ExportOrder } from '../export/export-source';
import {
  LEASE_MS,
  UNCOMPLETED_KEPT_MS,
  type Archive,
  type BuildResult,
  type BuiltArchive,
  type ClaimedArchive,
} from './archive';

const INDEXES = [
  { fields: { sweepAt: 1 }, where: 'sweepAt' },
  { fields: { ws: 1, kid: 1 }, where: 'kid' },
] as const;

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

interface Built {
  readonly archive: ClaimedArchive;
  readonly builtAt: Date;
}

export class ArchivesStore extends DueDocuments<Archive> {
  /** An archive waits to be built by any process. */
  readonly due = new DueSignal();
  private readonly writes: BulkWriter<Archive>;
  private readonly empties = new CallJoiner((page: readonly Built[]) => this.endEmpty(page));
  /** Of archives that this process claims as it adds them, each once. */
  private readonly ownToken = randomUUID();

  constructor(connection: Connection) {
    super(connection, { collection: 'archives', indexes: INDEXES, leaseMs: LEASE_MS });
    this.writes = new BulkWriter(this.collection);
  }

  /** Due for any process from `dueAt` on, if it is new. */
  async addOrder(order: ExportOrder, dueAt: Date): Promise<void> {
    if (await this.writes.insertNew(newArchive(order, dueAt))) this.due.due();
  }

  /** As if it was claimed right after; undefined: it is not new. */
  async addClaimed(order: ExportOrder, now: Date): Promise<ClaimedArchive | undefined> {
    const dueAt = new Date(now.getTime() + LEASE_MS);
    const archive = { ...newArchive(order, now), dueAt, token: this.ownToken };
    return (await this.writes.insertNew(archive)) ? archive : undefined;
  }

  /** Starts the validity of the link. Changes nothing if no archive exists, or its completion is known. */
  async complete(ws: string, srid: string, completedAt: Date, expiresAt: Date): Promise<void> {
    const open = { _id: requestKey(ws, srid), ws, expiresAt: { $exists: false } };
    await this.writes.update(open, { $set: { completedAt, expiresAt, sweepAt: expiresAt } });
  }

  /** Cancels an archive that has no build. The sweep removes any other. */
  async cancelUnbuilt(ws: string, srid: string): Promise<void> {
    const unbegun = { _id: requestKey(ws, srid), ws, state: 'building' as const, kid: { $exists: false } };
    await this.collection.updateOne(unbegun, { $set: { state: 'forgotten' }, $unset: UNSET_ALL_BUT_STUB });
  }

  async find(ws: string, srid: string): Promise<Archive | undefined> {
    return (await this.collection.findOne({ _id: requestKey(ws, srid), ws })) ?? undefined;
  }

  /** Stores build and key before the first chunk, so that a withdrawal based on an older state fails. */
  async begin(
    archive: ClaimedArchive,
    { build, kid }: Pick<BuiltArchive, 'build' | 'kid'>,
    until: Date,
  ): Promise<boolean> {
    return this.change(archive, { $set: { build, kid, dueAt: until } });
  }

  /** Sets the sweep time unless the completion has set it. */
  async markBuilt(archive: ClaimedArchive, outcome: BuildResult, builtAt: Date): Promise<boolean> {
    const $set = { ...outcome, builtAt };
    const uncompleted = { $set: { ...$set, sweepAt: sweepAt(builtAt) } };
    return (
      (await this.change(archive, uncompleted, { expiresAt: { $exists: false } })) || this.change(archive, { $set })
    );
  }

  /** Changes nothing where another builder has the claim. */
  async markReported({ _id, ws, token }: ClaimedArchive): Promise<void> {
    await this.writes.update({ _id, ws, token }, { $unset: UNSET_WORK });
  }

  /** Stores that a reported archive is empty. Changes nothing where another builder has the claim. */
  async markEmpty(archive: ClaimedArchive, builtAt: Date): Promise<void> {
    await this.empties.call({ archive, builtAt });
  }

  async findExpired(now: Date, limit: number): Promise<Archive[]> {
    return this.collection
      .find({ sweepAt: { $lte: now } })
      .sort({ sweepAt: 1 })
      .limit(limit)
      .toArray();
  }

  /** Keeps a stub, so that the link answers 410. A running builder loses its claim. */
  async removeData({ _id, ws }: Archive): Promise<void> {
    await this.collection.updateOne({ _id, ws }, { $set: { state: 'forgotten' }, $unset: UNSET_ALL_BUT_STUB });
  }

  findSealedBy(ws: string, kids: readonly string[]): AsyncIterable<Archive> {
    return this.collection.find({ ws, kid: { $in: [...kids] } });
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
    const { matchedCount } = await this.collection.updateOne(seen, change);
    this.due.due();
    return matchedCount === 1;
  }

  async unsetBuild({ _id, ws, build }: BuiltArchive): Promise<void> {
    await this.collection.updateOne(
      { _id, ws, build, state: { $ne: 'ready' } },
      { $unset: { build: 1, kid: 1, chunks: 1, bytes: 1 } },
    );
  }

  /** All with the time of the last of them, so that they share a write. */
  private async endEmpty(page: readonly Built[]): Promise<void[]> {
    const builtAt = new Date(Math.max(...page.map((one) => one.builtAt.getTime())));
    const end = async (isCompleted: boolean, times: object): Promise<number> => {
      const update = { $set: { state: 'empty', matched: 0, ...times }, $unset: UNSET_WORK };
      const ends = page.map(({ archive: { _id, ws, token } }) => ({
        filter: { _id, ws, token, expiresAt: { $exists: isCompleted } },
        update,
      }));
      const writes = alikeUpdates(ends) as Parameters<Collection<Archive>['bulkWrite']>[0];
      return (await this.collection.bulkWrite([...writes], { ordered: false })).matchedCount;
    };
    const ended = await end(false, { builtAt, sweepAt: sweepAt(builtAt) });
    // A completion has set the sweep time.
    if (ended < page.length) await end(true, { builtAt });
    return page.map(() => undefined);
  }

  protected override async change(
    { _id, ws, token }: ClaimedArchive,
    update: object,
    where: object = {},
  ): Promise<boolean> {
    const filter = { _id, ws, token, ...where };
    if ((await this.writes.update(filter, update)) === 'applied') return true;
    // Applied twice, each of these updates has the effect of one.
    const { matchedCount } = await this.collection.updateOne(filter, update);
    return matchedCount === 1;
  }
}

const newArchive = ({ ws, srid, kid, identities }: ExportOrder, dueAt: Date): Archive => ({
  ...{ _id: requestKey(ws, srid), ws, srid, state: 'building', order: { kid, identities }, tries: 0 },
  ...{ dueAt, dueSince: dueAt },
});

/** Unless its completion says when. */
const sweepAt = (builtAt: Date): Date => new Date(builtAt.getTime() + UNCOMPLETED_KEPT_MS);
