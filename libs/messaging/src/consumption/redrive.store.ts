import { DueTimes } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { KeyQueue } from './key-queue.store';
import { NONE, parkedCollection, parkedModel } from './parked-model.store';
import type { ParkedRecord } from './parked-record';

/** How long a claim holds without being extended. */
export const LEASE_MS = 30_000;

/** A parked record that one worker has claimed. */
export type ClaimedRecord = ParkedRecord & Required<Pick<ParkedRecord, 'token'>>;

/** What the redrive of a service reads and writes of its `parked` collection. Every write about a claimed record is fenced by the claim. */
export class RedriveStore {
  readonly queue: KeyQueue;
  private readonly parked: Collection<ParkedRecord>;
  private readonly due: DueTimes<ParkedRecord>;

  constructor(
    connection: Connection,
    private readonly now: () => number = Date.now,
  ) {
    this.parked = parkedCollection(connection);
    this.due = new DueTimes(parkedModel(connection), { due: 'redriveAt', filter: ['group'] });
    this.queue = new KeyQueue(this.parked, now);
  }

  /** Claims marked records of the group whose time has come. */
  async claimDue(group: string, limit: number): Promise<ClaimedRecord[]> {
    const claimed = await this.due.claim(new Date(this.now()), { limit, leaseMs: LEASE_MS, where: { group } });
    return claimed.map(({ document, token }) => ({ ...document, token }));
  }

  /** Makes the claim hold for a whole lease more. */
  async extendClaim({ _id, token }: ClaimedRecord): Promise<void> {
    await this.parked.updateOne({ _id, token }, { $set: { redriveAt: this.in(LEASE_MS) } });
  }

  /** It took effect, or is not wanted: whoever is next under its key goes on, and it goes. Can be done again wherever it broke off. */
  async complete(claimed: ClaimedRecord): Promise<void> {
    const { _id, token } = claimed;
    const { matchedCount } = await this.parked.updateOne({ _id, token }, { $set: { done: true } });
    if (matchedCount === 0) return;
    await this.queue.releaseNext(claimed);
    await this.parked.deleteOne({ _id, token });
  }

  /** It failed again: it stays where it stands, with the new reason. One that now lies aside lets the next go on before its mark goes. */
  async parkAgain(claimed: ClaimedRecord, reason: string, aside?: true): Promise<void> {
    const { _id, token } = claimed;
    const mine = { _id, token, done: NONE };
    const unmarked = { redriveAt: 1, token: 1, tries: 1 } as const;
    if (!aside) {
      await this.parked.updateOne(mine, { $set: { reason }, $unset: { ...unmarked, aside: 1 } });
      return;
    }
    await this.parked.updateOne(mine, { $set: { reason, aside } });
    await this.queue.releaseNext(claimed);
    await this.parked.updateOne(mine, { $unset: unmarked });
  }

  /** It has to wait, and comes again by itself. */
  async reschedule({ _id, token, attempts = 0 }: ClaimedRecord, waitMs: number): Promise<void> {
    await this.parked.updateOne(
      { _id, token },
      { $set: { redriveAt: this.in(waitMs), attempts: attempts + 1 }, $unset: { token: 1 } },
    );
  }

  private in(ms: number): Date {
    return new Date(this.now() + ms);
  }
}
