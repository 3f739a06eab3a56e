import { inPages } from '@opendsr-service/storage';
import type { Collection } from 'mongoose';
import type { KeyQueue } from './key-queue.store';
import { NONE } from './parked-collection.store';
import type { ParkedHead, ParkedKey, ParkedRecord } from './parked-record';
import { followsParked } from './parking';

/** Progress of a redrive: records still marked, and records that failed again. */
export interface Redriven {
  readonly waiting: number;
  readonly parkedAgain: number;
}

const ownReason = { $ne: followsParked };
const keyOf = ({ group, topic, key }: ParkedKey): string => JSON.stringify([group, topic, key]);

/** One redrive. It holds the ids and keys of its records in memory, to poll for their outcome. */
export class RedriveCall {
  marked = 0;
  markedAlready = 0;
  private readonly ids = new Set<string>();
  private readonly keys = new Map<string, ParkedKey>();
  /** Records under the same keys that this call does not redrive. */
  private readonly failedBefore = new Set<string>();

  constructor(
    private readonly parked: Collection<ParkedRecord>,
    private readonly queue: KeyQueue,
    private readonly now: () => number,
  ) {}

  /** Marks a page. A follower is marked only where it is the first; else the record before it releases it. */
  async mark(page: readonly ParkedHead[]): Promise<void> {
    await this.addKeys(page);
    const causes = page.flatMap(({ _id, reason }) => (reason === followsParked || this.ids.has(_id) ? [] : [_id]));
    const marked = causes.length === 0 ? 0 : await this.markIds(causes);
    this.marked += marked;
    this.markedAlready += causes.length - marked;
    causes.forEach((_id) => this.ids.add(_id));
    const followers = page.filter(({ reason }) => reason === followsParked);
    for (const follower of new Map(followers.map((one) => [keyOf(one), one])).values()) await this.markFirst(follower);
  }

  /** The outcome of this call's records, and of those behind them. */
  async progress(): Promise<Redriven & { readonly behind: Redriven }> {
    const own = { waiting: 0, parkedAgain: 0 };
    const behind = { waiting: 0, parkedAgain: 0 };
    const open = { $or: [{ redriveAt: { $exists: true } }, { reason: ownReason }] };
    for await (const { _id, redriveAt } of this.findUnder([...this.keys.values()], open)) {
      const counts = this.ids.has(_id) ? own : behind;
      if (redriveAt) counts.waiting += 1;
      else if (counts === own || !this.failedBefore.has(_id)) counts.parkedAgain += 1;
    }
    return { ...own, behind };
  }

  private async addKeys(page: readonly ParkedHead[]): Promise<void> {
    const added = page.filter((one) => !this.keys.has(keyOf(one)));
    added.forEach(({ group, topic, key }) => this.keys.set(keyOf({ group, topic, key }), { group, topic, key }));
    const failed = this.findUnder(added, { redriveAt: NONE, reason: ownReason });
    for await (const { _id } of failed) this.failedBefore.add(_id);
  }

  private async markIds(ids: string[]): Promise<number> {
    const update = { $set: { redriveAt: new Date(this.now()) } };
    return (await this.parked.updateMany({ _id: { $in: ids }, redriveAt: NONE, done: NONE }, update)).modifiedCount;
  }

  private async markFirst(follower: ParkedKey): Promise<void> {
    const released = await this.queue.releaseNext(follower);
    const first = released ?? (await this.queue.findFirst(follower));
    if (!first || this.ids.has(first._id) || !(released ?? first.redriveAt)) return;
    this.ids.add(first._id);
    if (released) this.marked += 1;
    else this.markedAlready += 1;
  }

  private async *findUnder(
    keys: readonly ParkedKey[],
    filter: object,
  ): AsyncGenerator<Pick<ParkedRecord, '_id' | 'redriveAt'>> {
    for (const ofTopic of Map.groupBy(keys, ({ group, topic }) => JSON.stringify([group, topic])).values()) {
      const { group, topic } = ofTopic[0] as ParkedKey;
      const names = [...new Set(ofTopic.map(({ key }) => key))];
      for (const page of inPages(names)) {
        const under = { group, topic, aside: { $in: [NONE, true] }, key: { $in: page }, done: NONE, ...filter };
        yield* await this.parked.find(under as never, { projection: { redriveAt: 1 } }).toArray();
      }
    }
  }
}
