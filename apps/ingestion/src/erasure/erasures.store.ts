import { requestKey } from '@opendsr-service/contracts';
import { DueSignal } from '@opendsr-service/service';
import { BulkWriter, DueDocuments, type ClaimedDocument, type DueDocument } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { SealedIdentities } from '../exports/sealed-identities';
import type { SubjectRef } from '../identities/matching';

/** A stub remains after the completion, so that a replay of the log does not erase later data. */
export interface ErasureDocument extends DueDocument {
  readonly srid: string;
  readonly kid: string;
  readonly identities: string;
  readonly startedAt: Date;
  /** Stored before the first deletion, after which the identities no longer match. Removed at the end. */
  readonly subjects?: readonly SubjectRef[];
  readonly matched?: number;
  /** How many batches were stored then. */
  readonly batches?: number;
  readonly passes: number;
  readonly reported?: true;
  /** Set once all participants have reported. */
  readonly completed?: true;
}

const ERASURE_LEASE_MS = 60_000;

export type ClaimedErasure = ClaimedDocument<ErasureDocument>;

export class ErasuresStore extends DueDocuments<ErasureDocument> {
  /** An erasure waits. */
  readonly due = new DueSignal();
  private readonly writes: BulkWriter<ErasureDocument>;

  constructor(connection: Connection) {
    super(connection, { collection: 'erasures', leaseMs: ERASURE_LEASE_MS });
    this.writes = new BulkWriter(this.collection);
  }

  async add(request: SealedIdentities, startedAt: Date, dueAt: Date): Promise<void> {
    const { ws, srid, kid, identities } = request;
    await this.writes.insertNew({
      ...{ _id: requestKey(ws, srid), ws, srid, kid, identities, startedAt },
      ...{ passes: 0, tries: 0, dueAt, dueSince: dueAt },
    });
    this.due.due();
  }

  async setSubjects(erasure: ClaimedErasure, subjects: readonly SubjectRef[], batches: number): Promise<boolean> {
    return this.change(erasure, { $set: { subjects, matched: subjects.length, batches } });
  }

  async recordPass(erasure: ClaimedErasure, dueAt: Date): Promise<boolean> {
    return this.change(erasure, {
      $set: { passes: erasure.passes + 1, tries: 0, dueAt, dueSince: dueAt },
      $unset: { token: 1 },
    });
  }

  /** Waits for the other participants. If they were first, the erasure becomes due again at the end of its lease. */
  async waitForOthers({ _id, ws, token }: ClaimedErasure): Promise<void> {
    await this.collection.updateOne(
      { _id, ws, token, completed: { $exists: false } },
      { $set: { reported: true }, $unset: { dueAt: 1, dueSince: 1, token: 1, identities: 1 } },
    );
  }

  async recordRequestCompleted(ws: string, srid: string, now: Date): Promise<void> {
    const _id = requestKey(ws, srid);
    // A write, because right after an election a read may miss what was stored just before. Most requests are no erasures.
    if ((await this.writes.update({ _id, ws }, { $set: { completed: true } })) === 'unmatched') return;
    // In this order, so that a concurrent `waitForOthers` sees the first update or is seen by the second.
    await this.writes.update(
      { _id, ws, reported: true, subjects: { $exists: true } },
      { $set: { dueAt: now }, $min: { dueSince: now } },
    );
    this.due.due();
  }

  async finish(erasure: ClaimedErasure): Promise<boolean> {
    return this.change(erasure, {
      $set: { reported: true },
      $unset: { dueAt: 1, dueSince: 1, token: 1, identities: 1, subjects: 1 },
    });
  }
}
