import type { Collection } from 'mongoose';
import { NONE } from './parked-collection.store';
import { sortKeyOf, type ParkedKey, type ParkedRecord } from './parked-record';
import { followsParked } from './parking';

const blockingUnder = ({ group, topic, key }: ParkedKey) => ({ group, topic, aside: NONE, key, done: NONE });

/**
 * The parked records of a key, in the order of the log. While the queue holds a record, consumers append later records
 * of the key. Only the first may be handled, under a claim. **The first record waits for an operator for its own
 * reason, or it is marked**: each actor that may make another record the first calls `releaseNext` after its write.
 * Each writes before it reads, so of two that race at least one sees the other's write.
 */
export class KeyQueue {
  constructor(
    private readonly parked: Collection<ParkedRecord>,
    private readonly now: () => number,
  ) {}

  /** The first record, without its value; undefined: the key is free. */
  async findFirst(key: ParkedKey): Promise<ParkedRecord | undefined> {
    const options = { sort: { sortKey: 1 }, projection: { record: 0 } } as const;
    return (await this.parked.findOne(blockingUnder(key), options)) ?? undefined;
  }

  /** The record that blocks this one. A record that is parked aside waits only for earlier ones. */
  async findBlocker(record: ParkedRecord): Promise<ParkedRecord | undefined> {
    const first = await this.findFirst(record);
    return first && first.sortKey < sortKeyOf(record) ? first : undefined;
  }

  async countBehind(record: ParkedRecord, atMost: number): Promise<number> {
    if (record.aside) return 0;
    const behind = { ...blockingUnder(record), sortKey: { $gt: sortKeyOf(record) } };
    return this.parked.countDocuments(behind, { limit: atMost });
  }

  /** Marks the first record if it only followed another; returns it if this call marked it. */
  async releaseNext(key: ParkedKey): Promise<ParkedRecord | undefined> {
    const first = await this.findFirst(key);
    if (first?.reason !== followsParked || first.redriveAt) return undefined;
    const { modifiedCount } = await this.parked.updateOne(
      { _id: first._id, reason: followsParked, redriveAt: NONE, done: NONE },
      { $set: { redriveAt: new Date(this.now()) } },
    );
    return modifiedCount === 1 ? first : undefined;
  }
}
