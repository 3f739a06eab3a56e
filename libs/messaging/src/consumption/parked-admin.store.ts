import type { Collection, Connection } from 'mongoose';
import { KeyQueue } from './key-queue.store';
import { NONE, parkedCollection } from './parked-model.store';
import { toLogRecord, type ParkedHead, type ParkedRecord } from './parked-record';
import { RedriveCall } from './redrive-call.store';
import type { LogRecord } from '../records';

/** Which parked records are meant; what is not named may be anything. */
export interface ParkedFilter {
  readonly groups?: readonly string[];
  /** Those under keys of this workspace. */
  readonly ws?: string;
  readonly reason?: string;
}

const PAGE = 200;
const WITHOUT_VALUE = { projection: { 'record.value': 0 } } as const;
const filterOf = ({ groups, ws, reason }: ParkedFilter) => ({
  ...(groups && { group: { $in: [...groups] } }),
  // `;` is the character after `:`.
  ...(ws !== undefined && { key: { $gte: `${ws}:`, $lt: `${ws};` } }),
  ...(reason !== undefined && { reason }),
});

/** What tools do with the `parked` collection of a service, beside its running replicas or while it is stopped (docs/parked.md). */
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

  /** Records by their ids, a page after another. Those that are done and about to go are left out. */
  async *listPages(filter: ParkedFilter): AsyncGenerator<readonly ParkedHead[]> {
    for (let after = ''; ;) {
      const page = await this.parked
        .find(
          { _id: { $gt: after }, ...filterOf(filter), done: NONE },
          { sort: { _id: 1 }, limit: PAGE, ...WITHOUT_VALUE },
        )
        .toArray();
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last._id;
    }
  }

  /** Null: not there, or done and about to go. */
  findById(_id: string): Promise<ParkedHead | null> {
    return this.parked.findOne({ _id, done: NONE }, WITHOUT_VALUE);
  }

  /** As the log handed it out. */
  async readRecord(_id: string): Promise<LogRecord | undefined> {
    const found = await this.parked.findOne({ _id });
    return found ? toLogRecord(found) : undefined;
  }

  /** Those parked under this key, at most a page. */
  findByKey(groups: readonly string[], topics: readonly string[], key: string): Promise<ParkedHead[]> {
    const of = { group: { $in: [...groups] }, topic: { $in: [...topics] }, key, done: NONE };
    return this.parked.find({ ...of, aside: { $in: [NONE, true] } }, { limit: PAGE, ...WITHOUT_VALUE }).toArray();
  }

  /** How many wait behind this one, counted up to `atMost`. */
  countBehind(one: ParkedHead, atMost: number): Promise<number> {
    return this.queue.countBehind(one as ParkedRecord, atMost);
  }

  /** Who has to be done before this one. */
  findBlocker(one: ParkedHead): Promise<ParkedRecord | undefined> {
    return this.queue.findBlocker(one as ParkedRecord);
  }

  /** Begins a call that has records handled again by the service that parked them. */
  startRedrive(): RedriveCall {
    return new RedriveCall(this.parked, this.queue, this.now);
  }

  /** Has the service let go of a record that nobody is handling, as if it had been handled: what waits behind it goes on. False: it is being handled, or not there. */
  async drop(_id: string): Promise<boolean> {
    const now = new Date(this.now());
    const dropped = await this.parked.updateOne(
      { _id, done: NONE, $or: [{ token: NONE }, { redriveAt: { $lte: now } }] },
      { $set: { done: true, redriveAt: now }, $unset: { token: 1 } },
    );
    return dropped.matchedCount === 1;
  }
}
