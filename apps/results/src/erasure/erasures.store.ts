import { requestKey } from '@opendsr-service/contracts';
import { DueSignal } from '@opendsr-service/service';
import { DueDocuments, type ClaimedDocument, type DueDocument } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';

/** Results' share of an erasure. A stub remains after the report, so that a replay of the log does not repeat it. */
export interface ErasureDocument extends DueDocument {
  readonly srid: string;
  /** Blind indexes of the erased subjects. Removed after the report. */
  readonly erased?: readonly string[];
  /** How many they were, after the report. */
  readonly profiles?: number;
  /** The keys of the archives that it has destroyed. Removed after the report. */
  readonly kids?: readonly string[];
  readonly passes: number;
}

export type ClaimedErasure = ClaimedDocument<ErasureDocument> & Required<Pick<ErasureDocument, 'erased'>>;

export const ERASURE_LEASE_MS = 60_000;

export class ErasuresStore extends DueDocuments<ErasureDocument> {
  /** An erasure waits. */
  readonly due = new DueSignal();

  constructor(connection: Connection) {
    super(connection, { collection: 'erasures', leaseMs: ERASURE_LEASE_MS });
  }

  async add({ ws, srid, erased }: Pick<ClaimedErasure, 'ws' | 'srid' | 'erased'>, dueAt: Date): Promise<void> {
    await this.collection.updateOne(
      { _id: requestKey(ws, srid), ws },
      { $setOnInsert: { srid, erased, passes: 0, tries: 0, dueAt, dueSince: dueAt } },
      { upsert: true },
    );
    this.due.due();
  }

  override async claimDue(now: Date, limit: number): Promise<ClaimedErasure[]> {
    return (await super.claimDue(now, limit)).map((claimed) => ({ ...claimed, erased: claimed.erased ?? [] }));
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

  async finish(erasure: ClaimedErasure): Promise<boolean> {
    return this.change(erasure, {
      $set: { profiles: erasure.erased.length },
      $unset: { dueAt: 1, dueSince: 1, token: 1, erased: 1, kids: 1 },
    });
  }
}
