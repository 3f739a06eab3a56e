import type { Lane, UntoldLane } from '../lanes/lane';
import type { LanesCollection } from '../lanes/lanes-collection.store';

/** What one process leaves to another that was quicker to add something; after this time it tells of it all the same. */
const OTHERS_AFTER_MS = 10_000;

/** What happened on lanes and the log has not acknowledged yet. */
export class OutboxStore {
  constructor(private readonly lanes: LanesCollection) {}

  /** Lanes with something to tell, the earliest first: those that this process wrote last, and those that another should have told of. */
  async findUntold(now: Date, limit: number): Promise<UntoldLane[]> {
    const left = new Date(now.getTime() - OTHERS_AFTER_MS);
    const mine = { tellAt: { $lte: now }, $or: [{ teller: this.lanes.teller }, { tellAt: { $lte: left } }] };
    const found = await this.lanes.documents.find(mine, { sort: { tellAt: 1 }, limit, projection: { ws: 1, srid: 1, outbox: 1 } }).toArray();
    return found as Pick<Lane, '_id' | 'ws' | 'srid' | 'outbox'>[] as UntoldLane[];
  }

  /** Takes out what the log has acknowledged, and only that: more may have been added since. */
  async told(lanes: readonly UntoldLane[]): Promise<void> {
    const all = lanes.map(({ _id, ws, outbox }) => {
      const last = outbox.at(-1);
      // What two told at once may be taken out by halves, and leave nothing.
      const isSeen = last && { [`outbox.${outbox.length - 1}.id`]: last.id };
      const isAll = { _id, ws, ...isSeen, [`outbox.${outbox.length}`]: { $exists: false } };
      return { updateOne: { filter: isAll, update: { $unset: { outbox: 1, tellAt: 1, teller: 1 } as const } } };
    });
    const { matchedCount } = await this.lanes.documents.bulkWrite(all, { ordered: false });
    if (matchedCount === lanes.length) return;
    const some = lanes.map(({ _id, ws, outbox }) => ({ updateOne: { filter: { _id, ws }, update: { $pull: { outbox: { id: { $in: outbox.map(({ id }) => id) } } } } } }));
    await this.lanes.documents.bulkWrite(some, { ordered: false });
  }
}
