import { requestKey } from '@opendsr-service/contracts';
import { DueTimes } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';

/** Results' share of an erasure. Once reported it stays as a stub, so that a replay of the log begins nothing anew. */
export interface ErasureDocument {
  /** `<ws>:<srid>` */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** Whom ingestion erased, by blind index; gone once it is reported. */
  readonly erased: readonly string[];
  /** How often the archives that hold them were destroyed. */
  readonly passes: number;
  readonly tries: number;
  /** Set while there is something to do. */
  readonly dueAt?: Date;
  /** When that should have been done, whoever has claimed it and however often it failed. Documents of before this field have it from the first time that they have to wait. */
  readonly dueSince?: Date;
  /** Of whoever works on it now. */
  readonly token?: string;
}

export type ClaimedErasure = ErasureDocument & { readonly token: string };

const LEASE_MS = 60_000;

const optionalDate = { type: Date, required: false } as const;
const erasureSchema = new Schema<ErasureDocument>(
  { _id: String, ws: String, dueAt: optionalDate, dueSince: optionalDate },
  { strict: false, versionKey: false, autoIndex: false },
);
erasureSchema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
erasureSchema.index({ dueSince: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });

/** The erasures that results has a share in. Whoever works on one names the token of its claim; times come from the caller. */
export class ErasuresStore {
  private readonly erasures: Collection<ErasureDocument>;
  private readonly due: DueTimes<ErasureDocument>;

  constructor(connection: Connection) {
    const model = connection.model<ErasureDocument>('Erasure', erasureSchema, 'erasures');
    this.erasures = connection.collection<ErasureDocument>('erasures');
    this.due = new DueTimes(model, { due: 'dueAt', filter: ['ws'] });
  }

  /** Gives back the claims of a process that died, for one that is alone with the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.due.releaseAll(now);
  }

  /** Takes an erasure in, once however often it comes. */
  async add({ ws, srid, erased }: Pick<ErasureDocument, 'ws' | 'srid' | 'erased'>, dueAt: Date): Promise<void> {
    await this.erasures.updateOne(
      { _id: requestKey(ws, srid), ws },
      { $setOnInsert: { srid, erased, passes: 0, tries: 0, dueAt, dueSince: dueAt } },
      { upsert: true },
    );
  }

  /** Takes erasures that are due, the longest overdue first. */
  async claimDue(now: Date, limit: number): Promise<ClaimedErasure[]> {
    const claims = await this.due.claim(now, { limit, leaseMs: LEASE_MS });
    return claims.map(({ document, token }) => ({ ...document, token }));
  }

  /** Everything was destroyed once more; goes on at `dueAt`. False, here and below: somebody else has the erasure. */
  async markPassed(erasure: ClaimedErasure, dueAt: Date): Promise<boolean> {
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

  /** The log has the report: nothing is left to do. */
  async finish(erasure: ClaimedErasure): Promise<boolean> {
    return this.change(erasure, { $unset: { dueAt: 1, dueSince: 1, token: 1, erased: 1 } });
  }

  private async change({ _id, ws, token }: ClaimedErasure, update: object): Promise<boolean> {
    const result = await this.erasures.updateOne({ _id, ws, token }, update);
    return result.matchedCount === 1;
  }
}
