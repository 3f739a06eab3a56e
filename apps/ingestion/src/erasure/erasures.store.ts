import { requestKey } from '@opendsr-service/contracts';
import { BulkWriter, DueTimes } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';
import type { IdentityOrder } from '../exports/identity-order';
import type { SubjectRef } from '../identities/matching';

/** An erasure on its way. Once completed it stays as a stub, so that a replay of the log erases nothing that came later. */
export interface ErasureDocument {
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  readonly kid: string;
  /** Absent once it is reported. */
  readonly identities: string;
  /** When the request was started. Documents of before this field were begun when they came. */
  readonly startedAt?: Date;
  /** Written before the first deletion: afterwards the identities lead nowhere. Absent again once it is over. */
  readonly subjects?: readonly SubjectRef[];
  /** How many profiles that were; stays. */
  readonly matched?: number;
  /** How often everything was deleted. */
  readonly passes: number;
  readonly tries: number;
  /** Ingestion's share is done. */
  readonly reported?: true;
  /** Everybody's is. */
  readonly completed?: true;
  /** Set while there is something to do. */
  readonly dueAt?: Date;
  /**
   * When that should have been done, whoever has claimed it and however often it failed. Documents of before this
   * field have it from the first time that they have to wait.
   */
  readonly dueSince?: Date;
  /** Of whoever works on it now. */
  readonly token?: string;
}

/** How long a claim holds without being extended. */
export const ERASURE_LEASE_MS = 60_000;

export type ClaimedErasure = ErasureDocument & { readonly token: string };

const erasureSchema = new Schema<ErasureDocument>(
  { _id: String, ws: String, dueAt: Date, dueSince: Date },
  { strict: false, versionKey: false, autoIndex: false },
);
erasureSchema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
erasureSchema.index({ dueSince: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });

export class ErasuresStore {
  private readonly erasures: Collection<ErasureDocument>;
  private readonly due: DueTimes<ErasureDocument>;
  private readonly writes: BulkWriter<ErasureDocument>;

  constructor(connection: Connection) {
    const model = connection.model<ErasureDocument>('Erasure', erasureSchema, 'erasures');
    this.erasures = connection.collection<ErasureDocument>('erasures');
    this.due = new DueTimes(model, { due: 'dueAt', filter: ['ws'] });
    this.writes = new BulkWriter(this.erasures);
  }

  /** Gives back the claims of a process that died, for one that is alone with the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.due.releaseAll(now);
  }

  /** Takes an erasure in, once however often it comes. */
  async add(order: IdentityOrder, startedAt: Date, dueAt: Date): Promise<void> {
    const _id = requestKey(order.ws, order.srid);
    const fresh = {
      srid: order.srid,
      kid: order.kid,
      identities: order.identities,
      startedAt,
      passes: 0,
      tries: 0,
      dueAt,
      dueSince: dueAt,
    };
    await this.writes.upsert({ _id, ws: order.ws }, { $setOnInsert: fresh });
  }

  /** Takes erasures that are due, the oldest first. */
  async claimDue(now: Date, limit: number): Promise<ClaimedErasure[]> {
    const claims = await this.due.claim(now, { limit, leaseMs: ERASURE_LEASE_MS });
    return claims.map(({ document, token }) => ({ ...document, token }));
  }

  /** Keeps whom to erase; false: somebody else has the erasure now. */
  async setSubjects(erasure: ClaimedErasure, subjects: readonly SubjectRef[]): Promise<boolean> {
    return this.change(erasure, { $set: { subjects, matched: subjects.length } });
  }

  /** Keeps the claim until then; false: somebody else has the erasure now. */
  async extend(erasure: ClaimedErasure, until: Date): Promise<boolean> {
    return this.change(erasure, { $set: { dueAt: until } });
  }

  /** Everything was deleted once more; goes on at `dueAt`. */
  async recordPass(erasure: ClaimedErasure, dueAt: Date): Promise<boolean> {
    return this.change(erasure, {
      $set: { passes: erasure.passes + 1, tries: 0, dueAt, dueSince: dueAt },
      $unset: { token: 1 },
    });
  }

  async reschedule(erasure: ClaimedErasure, dueAt: Date): Promise<boolean> {
    return this.change(erasure, {
      $set: { tries: erasure.tries + 1, dueAt },
      $min: { dueSince: dueAt },
      $unset: { token: 1 },
    });
  }

  /** Ingestion has reported, and waits for the others. Where they were first, nothing is changed: the erasure comes back by its lease. */
  async waitForOthers({ _id, ws, token }: ClaimedErasure): Promise<void> {
    await this.erasures.updateOne(
      { _id, ws, token, completed: { $exists: false } },
      { $set: { reported: true }, $unset: { dueAt: 1, dueSince: 1, token: 1, identities: 1 } },
    );
  }

  /** Everybody has reported: what is left to do is due now. */
  async complete(ws: string, srid: string, now: Date): Promise<void> {
    const _id = requestKey(ws, srid);
    // In this order: a worker that is about to wait sees the first, or is seen by the second. Most requests are no
    // erasures and match neither, so the first does not say whether the second is needed.
    await this.writes.update({ _id, ws }, { $set: { completed: true } });
    await this.writes.update(
      { _id, ws, reported: true, subjects: { $exists: true } },
      { $set: { dueAt: now }, $min: { dueSince: now } },
    );
  }

  async finish(erasure: ClaimedErasure): Promise<boolean> {
    return this.change(erasure, {
      $set: { reported: true },
      $unset: { dueAt: 1, dueSince: 1, token: 1, identities: 1, subjects: 1 },
    });
  }

  private async change({ _id, ws, token }: ClaimedErasure, update: object): Promise<boolean> {
    const result = await this.erasures.updateOne({ _id, ws, token }, update);
    return result.matchedCount === 1;
  }
}
