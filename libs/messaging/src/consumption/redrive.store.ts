import { DueTimes } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { KeyQueue } from './key-queue.store';
import { NONE, parkedCollection } from './parked-collection.store';
import { kindOf, type ParkedRecord } from './parked-record';

export const LEASE_MS = 30_000;

export type ClaimedRecord = ParkedRecord & Required<Pick<ParkedRecord, 'token'>>;

/** Redrive's access to the `parked` collection. The claim fences every write about a claimed record. */
export class RedriveStore {
  readonly queue: KeyQueue;
  private readonly parked: Collection<ParkedRecord>;
  private readonly due: DueTimes<ParkedRecord>;

  constructor(
    connection: Connection,
    private readonly now: () => number = Date.now,
  ) {
    this.parked = parkedCollection(connection);
    this.due = new DueTimes(this.parked, { due: 'redriveAt', filter: ['group'] });
    this.queue = new KeyQueue(this.parked, now);
  }

  async claimDue(group: string, limit: number): Promise<ClaimedRecord[]> {
    const claimed = await this.due.claim(new Date(this.now()), { limit, leaseMs: LEASE_MS, where: { group } });
    return claimed.map(({ document, token }) => ({ ...document, token }));
  }

  async extendClaim({ _id, token }: ClaimedRecord): Promise<void> {
    await this.parked.updateOne({ _id, token }, { $set: { redriveAt: this.fromNow(LEASE_MS) } });
  }

  /** Removes a handled record and releases the next of its key. Safe to repeat at every step. */
  async complete(claimed: ClaimedRecord): Promise<void> {
    const { _id, token } = claimed;
    const { matchedCount } = await this.parked.updateOne({ _id, token }, { $set: { done: true } });
    if (matchedCount === 0) return;
    await this.queue.releaseNext(claimed);
    await this.parked.deleteOne({ _id, token });
  }

  /** Keeps a record that failed again. If it is now aside, the next one is released before this one loses its mark. */
  async parkAgain(claimed: ClaimedRecord, reason: string, aside?: true): Promise<void> {
    const { _id, token } = claimed;
    const mine = { _id, token, done: NONE };
    const kind = kindOf(reason, aside);
    const unmarked = { redriveAt: 1, token: 1, attempts: 1 } as const;
    if (!aside) {
      await this.parked.updateOne(mine, { $set: { reason, kind }, $unset: { ...unmarked, aside: 1 } });
      return;
    }
    await this.parked.updateOne(mine, { $set: { reason, aside, kind } });
    await this.queue.releaseNext(claimed);
    await this.parked.updateOne(mine, { $unset: unmarked });
  }

  async reschedule({ _id, token, attempts = 0 }: ClaimedRecord, waitMs: number): Promise<void> {
    await this.parked.updateOne(
      { _id, token },
      { $set: { redriveAt: this.fromNow(waitMs), attempts: attempts + 1 }, $unset: { token: 1 } },
    );
  }

  private fromNow(ms: number): Date {
    return new Date(this.now() + ms);
  }
}
