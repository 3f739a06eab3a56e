import type { UntoldDestination } from '../destinations/destination';
import type {
  DestinationChange,
  DestinationFilter,
  DestinationsCollection,
} from '../destinations/destinations-collection.store';
import type { Telling } from './telling';

/** What one process leaves to another that was quicker to add something; after this time it tells of it all the same. */
const OTHERS_AFTER_MS = 10_000;

/** What happened on destinations and the log has not acknowledged yet. */
export class OutboxStore {
  constructor(private readonly destinations: DestinationsCollection) {}

  /** Destinations with something to tell, the earliest first: those that this process wrote last, and those that another should have told of. */
  async findUntold(now: Date, limit: number): Promise<UntoldDestination[]> {
    const left = new Date(now.getTime() - OTHERS_AFTER_MS);
    const mine = { tellAt: { $lte: now }, $or: [{ teller: this.destinations.teller }, { tellAt: { $lte: left } }] };
    const found = await this.destinations.documents
      .find(mine, {
        sort: { tellAt: 1 },
        limit,
        projection: { ws: 1, srid: 1, destination: 1, outcome: 1, outbox: 1, tellAt: 1 },
      })
      .toArray();
    return found as Pick<UntoldDestination, '_id'>[] as UntoldDestination[];
  }

  /** Takes out what the log has acknowledged, and only that: more may have been added since the look, at `lookedAt`. Notes when the rest is told, and since when it waits. */
  async told(tellings: readonly Telling[], lookedAt: Date): Promise<void> {
    const all = tellings.map((telling) => ({
      updateOne: telling.restAt ? postponing(telling, telling.restAt) : emptying(telling),
    }));
    const { matchedCount } = await this.destinations.documents.bulkWrite(all, { ordered: false });
    if (matchedCount === tellings.length) return;
    const some = tellings.map(({ destination: { _id, ws }, events, restAt = lookedAt }) => ({
      // A destination that was emptied has nothing to take out, and waits since no time.
      updateOne: {
        filter: { _id, ws, 'outbox.0': { $exists: true } },
        update: { ...takingOut(events), $set: { untoldSince: restAt } },
      },
    }));
    await this.destinations.documents.bulkWrite(some, { ordered: false });
  }
}

interface Write {
  readonly filter: DestinationFilter;
  readonly update: DestinationChange;
}

const takingOut = (events: Telling['events']): DestinationChange => ({
  $pull: { outbox: { id: { $in: events.map(({ id }) => id) } } },
});

function emptying({ destination: { _id, ws, outbox = [] } }: Telling): Write {
  const last = outbox.at(-1);
  // What two told at once may be taken out by halves, and leave nothing.
  const isSeen = last && { [`outbox.${outbox.length - 1}.id`]: last.id };
  return {
    filter: { _id, ws, ...isSeen, [`outbox.${outbox.length}`]: { $exists: false } },
    update: { $unset: { outbox: 1, tellAt: 1, teller: 1, untoldSince: 1 } as const },
  };
}

/** Where something was added since, the destination is looked at anew. */
const postponing = ({ destination: { _id, ws, tellAt }, events }: Telling, restAt: Date): Write => ({
  filter: { _id, ws, tellAt },
  update: { ...takingOut(events), $set: { tellAt: restAt, untoldSince: restAt } },
});
