import { requestKey } from '@opendsr-service/contracts';
import { DueSignal } from '@opendsr-service/service';
import { DueTimes } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';

/** Results' share of an erasure. A stub remains after the report, so that a replay of the log does not repeat it. */
export interface ErasureDocument {
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** Blind indexes of the erased subjects. Removed after the report. */
  readonly erased?: readonly string[];
  /** How many they were, after the report. */
  readonly profiles?: number;
  /** The keys of the archives that it has destroyed. Removed after the report. */
  readonly kids?: readonly string[];
  readonly passes: number;
  readonly tries: number;
  readonly dueAt?: Date;
  /** When the work was first due. Claims and retries change `dueAt` only. */
  readonly dueSince?: Date;
  readonly token?: string;
}

export type ClaimedErasure = ErasureDocument & Required<Pick<ErasureDocument, 'erased' | 'token'>>;

export const ERASURE_LEASE_MS = 60_000;

const optionalDate = { type: Date, required: false } as const;
const erasureSchema = new Schema<ErasureDocument>(
  { _id: String, ws: String, dueAt: optionalDate, dueSince: optionalDate },
  { strict: false, versionKey: false, autoIndex: false },
);
erasureSchema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
erasureSchema.index({ dueSince: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });

export class ErasuresStore {
  /** An erasure waits. */
  readonly due = new DueSignal();
  private readonly erasures: Collection<ErasureDocument>;
  private readonly claims: DueTimes<ErasureDocument>;

  constructor(connection: Connection) {
    const model = connection.model<ErasureDocument>('Erasure', erasureSchema, 'erasures');
    this.erasures = connection.collection<ErasureDocument>('erasures');
    this.claims = new DueTimes(model, { due: 'dueAt', filter: ['ws'] });
  }

  /** Releases the claims of a dead process. Call it only when no other process uses the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.claims.releaseAll(now);
  }

  async add({ ws, srid, erased }: Pick<ClaimedErasure, 'ws' | 'srid' | 'erased'>, dueAt: Date): Promise<void> {
    await this.erasures.updateOne(
      { _id: requestKey(ws, srid), ws },
      { $setOnInsert: { srid, erased, passes: 0, tries: 0, dueAt, dueSince: dueAt } },
      { upsert: true },
    );
    this.due.due();
  }

  async claimDue(now: Date, limit: number): Promise<ClaimedErasure[]> {
    const claims = await this.claims.claim(now, { limit, leaseMs: ERASURE_LEASE_MS });
    return claims.map(({ document, token }) => ({ ...document, erased: document.erased ?? [], token }));
  }

  nextDueAfter(now: Date): Promise<Date | undefined> {
    return this.claims.nextAfter(now);
  }

  /** False, here and below: another worker has the claim. */
  async renew(erasure: ClaimedErasure, until: Date): Promise<boolean> {
    return this.change(erasure, { $set: { dueAt: until } });
  }

  async recordPass(erasure: ClaimedErasure, dueAt: Date): Promise<boolean> {
    return this.change(erasure, {
      $set: { passes: erasure.passes + 1, tries: 0, dueAt, dueSince: dueAt },
      $unset: { token: 1 },
    });
  }

  /** Written before the key is destroyed, so that a killed process counts it too. */
  async addKey(erasure: ClaimedErasure, kid: string): Promise<boolean> {
    return this.change(erasure, { $addToSet: { kids: kid } });
  }

  async reschedule(erasure: ClaimedErasure, dueAt: Date): Promise<boolean> {
    return this.change(erasure, {
      $set: { tries: erasure.tries + 1, dueAt },
      $unset: { token: 1 },
    });
  }

  async finish(erasure: ClaimedErasure): Promise<boolean> {
    return this.change(erasure, {
      $set: { profiles: erasure.erased.length },
      $unset: { dueAt: 1, dueSince: 1, token: 1, erased: 1, kids: 1 },
    });
  }

  private async change({ _id, ws, token }: ClaimedErasure, update: object): Promise<boolean> {
    const result = await this.erasures.updateOne({ _id, ws, token }, update);
    return result.matchedCount === 1;
  }
}
