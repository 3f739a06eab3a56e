import { awaitCurrentReads, CallJoiner, findInPages } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { LogRecord } from '../records';
import { KeyQueue } from './key-queue.store';
import { NONE, parkedCollection } from './parked-collection.store';
import { kindOf, parkedId, sortKeyOf, type ParkedRecord } from './parked-record';
import { followsParked, type Parking } from './parking';

/** Batches that share a query: more keys would make it slow. */
const MAX_BATCHES = 20;
/** How long it is remembered that no record blocks a key, so that not each batch asks. */
const FREE_MS = 1_000;
const NO_KEYS: ReadonlySet<string> = new Set();

interface BatchKeys {
  readonly group: string;
  readonly topic: string;
  readonly keys: readonly string[];
}

/** The `parked` collection of a service. Personal data in records is sealed (decision 4). */
export class ParkedStore implements Parking {
  private readonly parked: Collection<ParkedRecord>;
  private readonly queue: KeyQueue;
  /** By group and topic: until when no record is known to block a key. */
  private readonly freeUntilMs = new Map<string, number>();
  private changes = 0;
  private readonly batches = new CallJoiner((asked: readonly BatchKeys[]) => this.findParked(asked), MAX_BATCHES);

  constructor(
    connection: Connection,
    private readonly now: () => number = Date.now,
  ) {
    this.parked = parkedCollection(connection);
    this.queue = new KeyQueue(this.parked, now);
  }

  assigned(): void {
    this.forgetFree();
  }

  /**
   * Concurrent batches share a query. Where nothing blocks, later ones do without for a second: only the reader of a partition
   * parks its records, and `park` and `assigned` end what is remembered.
   */
  async parkedKeys(group: string, topic: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (performance.now() < (this.freeUntilMs.get(placeOf({ group, topic })) ?? 0)) return NO_KEYS;
    return this.batches.call({ group, topic, keys });
  }

  async park(group: string, record: LogRecord, reason: string, aside?: true): Promise<void> {
    const { topic, partition, offset, key, value, headers, timestampMs } = record;
    const _id = parkedId(group, record);
    const kept = { value, headers: Object.entries(headers), timestampMs };
    const parked = {
      group,
      topic,
      partition,
      offset,
      sortKey: sortKeyOf(record),
      key,
      record: kept,
      reason,
      ...(aside && { aside }),
      kind: kindOf(reason, aside),
      at: new Date(this.now()),
    };
    try {
      await this.parked.updateOne({ _id }, { $setOnInsert: parked }, { upsert: true });
    } finally {
      // It may be stored although the store could not say so.
      this.forgetFree();
    }
    // The record that it follows may have been redriven meanwhile.
    if (reason === followsParked) await this.queue.releaseNext({ group, topic, key });
  }

  /**
   * Records that this group parked for their own reason: they have had no effect. A follower may have taken effect
   * before its group was rewound.
   */
  async findParkedForOwnReason<R extends LogRecord>(group: string, records: readonly R[]): Promise<ReadonlySet<R>> {
    const byId = new Map(records.map((record) => [parkedId(group, record), record]));
    const found = await findInPages([...byId.keys()], (page) =>
      this.parked.find({ _id: { $in: page }, done: NONE }, { projection: { reason: 1 } }).toArray(),
    );
    return new Set(found.filter(({ reason }) => reason !== followsParked).map(({ _id }) => byId.get(_id) as R));
  }

  /** Removes all parked records of a key. What follows them has the same key. */
  async removeByKey(key: string): Promise<void> {
    await this.parked.deleteMany({ key });
  }

  private forgetFree(): void {
    this.changes += 1;
    this.freeUntilMs.clear();
  }

  private async blocks(holding: object): Promise<boolean> {
    return (await this.parked.findOne(holding, { projection: { _id: 1 } })) !== null;
  }

  /** What is remembered must not be what a read right after an election has missed. */
  private async blocksNow(holding: object, [first]: readonly BatchKeys[]): Promise<boolean> {
    await awaitCurrentReads(this.parked, { _id: first && placeOf(first) });
    return this.blocks(holding);
  }

  private async findParked(asked: readonly BatchKeys[]): Promise<ReadonlySet<string>[]> {
    const each = (field: 'group' | 'topic') => ({ $in: [...new Set(asked.map((one) => one[field]))] });
    const holding = { group: each('group'), topic: each('topic'), aside: NONE };
    const { changes } = this;
    const askedMs = performance.now();
    // Usually no key is blocked: one index lookup answers all batches.
    if (!(await this.blocks(holding)) && !(await this.blocksNow(holding, asked))) {
      if (changes === this.changes) for (const one of asked) this.freeUntilMs.set(placeOf(one), askedMs + FREE_MS);
      return asked.map(() => NO_KEYS);
    }
    const key = { $in: [...new Set(asked.flatMap(({ keys }) => keys))] };
    const found = await this.parked.find({ ...holding, key }, { projection: { group: 1, topic: 1, key: 1 } }).toArray();
    return asked.map(
      ({ group, topic }) =>
        new Set(found.filter((one) => one.group === group && one.topic === topic).map((one) => one.key)),
    );
  }
}

const placeOf = ({ group, topic }: Pick<BatchKeys, 'group' | 'topic'>): string => `${group}|${topic}`;
