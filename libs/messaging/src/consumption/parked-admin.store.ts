import type { Collection, Connection } from 'mongoose';
import { KeyQueue } from './key-queue.store';
import { NONE, parkedCollection } from './parked-collection.store';
import {
  isOfKind,
  RECORD_KINDS,
  toLogRecord,
  type KindFilter,
  type ParkedHead,
  type ParkedRecord,
} from './parked-record';
import { RedriveCall } from './redrive-call.store';
import type { LogRecord } from '../records';

/** An absent field matches every record. */
export interface ParkedFilter {
  readonly groups?: readonly string[];
  readonly ws?: string;
  readonly reason?: string;
  readonly kind?: KindFilter;
  readonly key?: string;
}

const PAGE = 200;
const WITHOUT_VALUE = { projection: { 'record.value': 0 } } as const;
const filterOf = ({ groups, ws, reason, kind, key }: ParkedFilter) => ({
  ...(groups && { group: { $in: [...groups] } }),
  // `;` is the character after `:`.
  ...(ws !== undefined && { key: { $gte: `${ws}:`, $lt: `${ws};` } }),
  ...(reason !== undefined && { reason }),
  ...(kind !== undefined && { kind: { $in: RECORD_KINDS.filter((one) => isOfKind(one, kind)) } }),
  ...(key !== undefined && { key }),
});

/** Administration of a service's `parked` collection; replicas may run meanwhile (docs/parked.md). */
export class ParkedAdmin {
  private readonly parked: Collection<ParkedRecord>;
  private readonly queue: KeyQueue;

  constructor(
    connection: Connection,
    private readonly now: () => number,
  ) {
    this.parked = parkedCollection(connection);
    this.queue = new KeyQueue(this.parked, now);
  }

  /** At most `limit` records by id, beginning after this one. A filter may make it read many more than it returns. */
  listAfter(after: string, limit: number, filter: ParkedFilter = {}): Promise<ParkedHead[]> {
    return this.parked
      .find({ _id: { $gt: after }, ...filterOf(filter), done: NONE }, { sort: { _id: 1 }, limit, ...WITHOUT_VALUE })
      .toArray();
  }

  async *listPages(filter: ParkedFilter): AsyncGenerator<readonly ParkedHead[]> {
    for (let after = ''; ;) {
      const page = await this.listAfter(after, PAGE, filter);
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last._id;
    }
  }

  findById(_id: string): Promise<ParkedHead | null> {
    return this.parked.findOne({ _id, done: NONE }, WITHOUT_VALUE);
  }

  async readRecord(_id: string): Promise<LogRecord | undefined> {
    const found = await this.parked.findOne({ _id });
    return found ? toLogRecord(found) : undefined;
  }

  countBehind(one: ParkedHead, atMost: number): Promise<number> {
    return this.queue.countBehind(one as ParkedRecord, atMost);
  }

  /** The record that blocks this one. */
  findBlocker(one: ParkedHead): Promise<ParkedRecord | undefined> {
    return this.queue.findBlocker(one as ParkedRecord);
  }

  /** Whether it is being handled, or will be at once. */
  isInRedrive({ token, redriveAt }: ParkedHead): boolean {
    return redriveAt !== undefined && (token !== undefined || redriveAt.getTime() <= this.now());
  }

  startRedrive(): RedriveCall {
    return new RedriveCall(this.parked, this.queue, this.now);
  }

  /** Releases a record as if it had been handled. False: it is claimed or absent. */
  async drop(_id: string): Promise<boolean> {
    const now = new Date(this.now());
    const dropped = await this.parked.updateOne(
      { _id, done: NONE, $or: [{ token: NONE }, { redriveAt: { $lte: now } }] },
      { $set: { done: true, redriveAt: now }, $unset: { token: 1 } },
    );
    return dropped.matchedCount === 1;
  }
}
