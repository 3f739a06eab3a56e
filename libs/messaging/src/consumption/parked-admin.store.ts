import { randomUUID } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';
import { followsParked } from './follows-parked';
import { goneOn, KeyQueue, marking } from './key-queue.store';
import { NONE, parkedCollection } from './parked-model.store';
import { toLogRecord, type ParkedRecord } from './parked-record';
import type { LogRecord } from '../records';

/** Which parked records are meant; what is not named may be anything. */
export interface ParkedFilter {
  readonly groups?: readonly string[];
  /** Those under keys of this workspace. */
  readonly ws?: string;
  readonly reason?: string;
}

/** How far a redrive came: of the records that it marked, and of those that went on after them. */
export interface Redriven {
  readonly waiting: number;
  readonly parkedAgain: number;
}

/** A parked record without its value. */
export type ParkedHead = Omit<ParkedRecord, 'record'> & { readonly record: Omit<ParkedRecord['record'], 'value'> };

const PAGE = 200;
/** Calls are forgotten so long after their end: clocks differ, and a call begins to wait only when it has marked everything. */
const FORGET_AFTER_MS = 3_600_000;
const WITHOUT_VALUE = { projection: { 'record.value': 0 } } as const;
const filterOf = ({ groups, ws, reason }: ParkedFilter) => ({
  ...(groups && { group: { $in: [...groups] } }),
  // `;` is the character after `:`.
  ...(ws !== undefined && { key: { $gte: `${ws}:`, $lt: `${ws};` } }),
  ...(reason !== undefined && { reason }),
});

const causesIn = (page: readonly ParkedHead[]): string[] =>
  page.filter(({ reason }) => reason !== followsParked).map(({ _id }) => _id);
/** One of each key. */
const followersIn = (page: readonly ParkedHead[]): readonly ParkedHead[] => {
  const followers = page.filter(({ reason }) => reason === followsParked);
  return [...new Map(followers.map((one) => [JSON.stringify([one.group, one.topic, one.key]), one])).values()];
};

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

  /** The name of a call that waits until then at the most. Records that wait longer keep the names of few: they forget those whose time is over. */
  static runUntil(until: Date): string {
    return `${until.toISOString()}/${randomUUID()}`;
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

  /**
   * Marks them to be handled again, and says how many were not marked before. Those that only follow go on by themselves; they are
   * marked where nobody stands before them, as it may be after replicas of an earlier version parked beside a redrive. `run`: the call that
   * waits for them, where one does.
   */
  async markForRedrive(page: readonly ParkedHead[], run?: string): Promise<number> {
    const causes = causesIn(page);
    const runs = run === undefined ? [] : [run];
    const marked =
      causes.length === 0
        ? 0
        : (
            await this.parked.updateMany(
              { _id: { $in: causes }, redriveAt: NONE, done: NONE },
              marking(new Date(this.now()), runs),
            )
          ).modifiedCount;
    let goneOnHere = 0;
    for (const one of followersIn(page)) if (await this.queue.releaseNext(one, runs)) goneOnHere += 1;
    return marked + goneOnHere;
  }

  /**
   * Has the call wait as well for those that were marked already, and says how many these are: of the page, and of those that the page only
   * follows. Whoever waits for them already goes on doing so.
   */
  async join(page: readonly ParkedHead[], run: string): Promise<number> {
    const ids = causesIn(page);
    for (const one of followersIn(page)) ids.push((await this.queue.findFirst(one))?._id ?? one._id);
    const over = { $lt: new Date(this.now() - FORGET_AFTER_MS).toISOString() };
    await this.parked.updateMany({ _id: { $in: ids }, runs: over }, { $pull: { runs: over } });
    return this.queue.join(ids, run);
  }

  /** How far that came for which a call waits. */
  async progress(groups: readonly string[], run: string): Promise<Redriven & { readonly behind: Redriven }> {
    return { ...(await this.countOf(groups, run)), behind: await this.countOf(groups, goneOn(run)) };
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

  private async countOf(groups: readonly string[], run: string): Promise<Redriven> {
    const of = { group: { $in: [...groups] }, runs: run };
    const waiting = await this.parked.countDocuments({ ...of, redriveAt: { $exists: true } });
    return { waiting, parkedAgain: await this.parked.countDocuments({ ...of, redriveAt: NONE }) };
  }
}
