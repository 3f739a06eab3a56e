import type { UntoldLane } from '../lanes/lane';
import type { LaneChange, LaneFilter, LanesCollection } from '../lanes/lanes-collection.store';
import type { Telling } from './telling';

/** What one process leaves to another that was quicker to add something; after this time it tells of it all the same. */
const OTHERS_AFTER_MS = 10_000;

/** What happened on lanes and the log has not acknowledged yet. */
export class OutboxStore {
  constructor(private readonly lanes: LanesCollection) {}

  /** Lanes with something to tell, the earliest first: those that this process wrote last, and those that another should have told of. */
  async findUntold(now: Date, limit: number): Promise<UntoldLane[]> {
    const left = new Date(now.getTime() - OTHERS_AFTER_MS);
    const mine = { tellAt: { $lte: now }, $or: [{ teller: this.lanes.teller }, { tellAt: { $lte: left } }] };
    const found = await this.lanes.documents
      .find(mine, {
        sort: { tellAt: 1 },
        limit,
        projection: { ws: 1, srid: 1, lane: 1, outcome: 1, outbox: 1, tellAt: 1 },
      })
      .toArray();
    return found as Pick<UntoldLane, '_id'>[] as UntoldLane[];
  }

  /** Takes out what the log has acknowledged, and only that: more may have been added since the look, at `lookedAt`. Notes when the rest is told, and since when it waits. */
  async told(tellings: readonly Telling[], lookedAt: Date): Promise<void> {
    const all = tellings.map((telling) => ({
      updateOne: telling.restAt ? postponing(telling, telling.restAt) : emptying(telling),
    }));
    const { matchedCount } = await this.lanes.documents.bulkWrite(all, { ordered: false });
    if (matchedCount === tellings.length) return;
    const some = tellings.map(({ lane: { _id, ws }, events, restAt = lookedAt }) => ({
      // A lane that was emptied has nothing to take out, and waits since no time.
      updateOne: {
        filter: { _id, ws, 'outbox.0': { $exists: true } },
        update: { ...takingOut(events), $set: { untoldSince: restAt } },
      },
    }));
    await this.lanes.documents.bulkWrite(some, { ordered: false });
  }
}

interface Write {
  readonly filter: LaneFilter;
  readonly update: LaneChange;
}

const takingOut = (events: Telling['events']): LaneChange => ({
  $pull: { outbox: { id: { $in: events.map(({ id }) => id) } } },
});

function emptying({ lane: { _id, ws, outbox = [] } }: Telling): Write {
  const last = outbox.at(-1);
  // What two told at once may be taken out by halves, and leave nothing.
  const isSeen = last && { [`outbox.${outbox.length - 1}.id`]: last.id };
  return {
    filter: { _id, ws, ...isSeen, [`outbox.${outbox.length}`]: { $exists: false } },
    update: { $unset: { outbox: 1, tellAt: 1, teller: 1, untoldSince: 1 } as const },
  };
}

/** Where something was added since, the lane is looked at anew. */
const postponing = ({ lane: { _id, ws, tellAt }, events }: Telling, restAt: Date): Write => ({
  filter: { _id, ws, tellAt },
  update: { ...takingOut(events), $set: { tellAt: restAt, untoldSince: restAt } },
});
