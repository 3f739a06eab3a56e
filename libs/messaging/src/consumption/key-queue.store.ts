import type { Collection } from 'mongoose';
import { followsParked } from './follows-parked';
import { NONE } from './parked-model.store';
import { sortKeyOf, type ParkedRecord, type ParkedKey } from './parked-record';

const PAGE = 500;

const blockingUnder = ({ group, topic, key }: ParkedKey) => ({ group, topic, aside: NONE, key, done: NONE });

/** A call that waits for a record, as those know it that went on after that one. */
export const goneOn = (run: string): string => (run.endsWith('+') ? run : `${run}+`);
/** What marks a record to be handled again, for the calls that wait for it. */
export const marking = (redriveAt: Date, runs: readonly string[]) => ({
  $set: { redriveAt },
  ...(runs.length > 0 && { $addToSet: { runs: { $each: [...runs] } } }),
});
const notTold = (run: string) => ({ $nin: [goneOn(run), goneOn(run).slice(0, -1)] });

/**
 * The line of what is parked under a key, in the order of the log. The rule of it, for consumers and workers of all replicas at once:
 *
 * - While somebody stands in the line, consumers put what comes under its key at its end (`Parking`). Only who is first of it may be
 *   handled, by a worker that has claimed it. The key is free when the line is empty, so nothing newer overtakes.
 * - **Who is first has a reason of its own, and waits for an operator, or is marked.** Whoever can make another one first calls
 *   `goOn` after its write: a consumer that put a record at the end, for the line may have become empty since it looked; a worker
 *   that is done with the first. Each writes before it looks, so of two that meet at least one sees what the other wrote, and nobody is left standing
 *   unmarked in front. A worker that dies before it looked leaves its record, done but still marked, to the next one.
 */
export class KeyQueue {
  constructor(
    private readonly parked: Collection<ParkedRecord>,
    private readonly now: () => number,
  ) {}

  /** Who is first under a key, without its value; undefined: the key is free. */
  async findFirst(of: ParkedKey): Promise<ParkedRecord | undefined> {
    for (;;) {
      const [first] = await this.parked
        .find(blockingUnder(of), { sort: { sortKey: 1 }, limit: 1, projection: { record: 0 } })
        .toArray();
      // Who has no place yet sorts before everybody.
      if (first?.sortKey !== undefined || !first) return first;
      await this.assignSortKeys(of);
    }
  }

  /** Who has to be done before this one may be handled. One that lies aside waits only for what came before it. */
  async findBlocker(one: ParkedRecord): Promise<ParkedRecord | undefined> {
    const first = await this.findFirst(one);
    return first?.sortKey !== undefined && first.sortKey < sortKeyOf(one) ? first : undefined;
  }

  /** How many wait behind this one, counted up to `atMost`. */
  async countBehind(one: ParkedRecord, atMost: number): Promise<number> {
    if (one.aside) return 0;
    await this.findFirst(one);
    return this.parked.countDocuments({ ...blockingUnder(one), sortKey: { $gt: sortKeyOf(one) } }, { limit: atMost });
  }

  /** Marks who is first where it only followed, for the calls that are to wait for it. */
  async releaseNext(of: ParkedKey, runs: readonly string[] = []): Promise<boolean> {
    const first = await this.findFirst(of);
    if (first?.reason !== followsParked || first.redriveAt) return false;
    const marked = await this.parked.updateOne(
      { _id: first._id, reason: followsParked, redriveAt: NONE, done: NONE },
      marking(new Date(this.now()), runs),
    );
    return marked.matchedCount === 1;
  }

  /** Who followed one that is done goes on, and whoever waited for that one waits for it: also where somebody else was the first to mark it. */
  async releaseNextAfter(done: ParkedKey, runs: readonly string[] = []): Promise<void> {
    const waiting = runs.map(goneOn);
    if ((await this.releaseNext(done, waiting)) || waiting.length === 0) return;
    const first = await this.findFirst(done);
    if (first?.reason === followsParked) for (const run of waiting) await this.join([first._id], run);
  }

  /** Has a call wait for those of these that are marked, beside the calls that do already, and says for how many it did not before. */
  async join(ids: readonly string[], run: string): Promise<number> {
    const marked = { _id: { $in: [...ids] }, redriveAt: { $exists: true }, done: NONE };
    return (await this.parked.updateMany({ ...marked, runs: notTold(run) }, { $addToSet: { runs: run } }))
      .modifiedCount;
  }

  private async assignSortKeys(of: ParkedKey): Promise<void> {
    const page = await this.parked
      .find({ ...blockingUnder(of), sortKey: NONE }, { limit: PAGE, projection: { partition: 1, offset: 1 } })
      .toArray();
    await this.parked.bulkWrite(
      page.map((one) => ({
        updateOne: { filter: { _id: one._id, sortKey: NONE }, update: { $set: { sortKey: sortKeyOf(one) } } },
      })),
      { ordered: false },
    );
  }
}
