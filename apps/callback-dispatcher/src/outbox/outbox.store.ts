import type { UnpublishedDestination } from '../destinations/destination';
import type {
  DestinationChange,
  DestinationFilter,
  DestinationsCollection,
} from '../destinations/destinations-collection.store';
import type { Publication } from './publication';

/** What one process leaves to another that was quicker to add something; after this time it tells of it all the same. */
const TAKEOVER_MS = 10_000;

/** What happened on destinations and the log has not acknowledged yet. */
export class DestinationOutbox {
  constructor(private readonly destinations: DestinationsCollection) {}

  /** Destinations with something to tell, the earliest first: those that this process wrote last, and those that another should have told of. */
  async findUnpublished(now: Date, limit: number): Promise<UnpublishedDestination[]> {
    const left = new Date(now.getTime() - TAKEOVER_MS);
    const mine = {
      outboxAt: { $lte: now },
      $or: [{ outboxBy: this.destinations.outboxBy }, { outboxAt: { $lte: left } }],
    };
    const found = await this.destinations.documents
      .find(mine, {
        sort: { outboxAt: 1 },
        limit,
        projection: { ws: 1, srid: 1, destination: 1, outcome: 1, outbox: 1, outboxAt: 1 },
      })
      .toArray();
    return found as Pick<UnpublishedDestination, '_id'>[] as UnpublishedDestination[];
  }

  /** Takes out what the log has acknowledged, and only that: more may have been added since the look, at `lookedAt`. Notes when the rest is told, and since when it waits. */
  async markPublished(publications: readonly Publication[], lookedAt: Date): Promise<void> {
    const all = publications.map((publication) => ({
      updateOne: publication.restAt ? postponing(publication, publication.restAt) : emptying(publication),
    }));
    const { matchedCount } = await this.destinations.documents.bulkWrite(all, { ordered: false });
    if (matchedCount === publications.length) return;
    const some = publications.map(({ destination: { _id, ws }, events, restAt = lookedAt }) => ({
      // A destination that was emptied has nothing to take out, and waits since no time.
      updateOne: {
        filter: { _id, ws, 'outbox.0': { $exists: true } },
        update: { ...removing(events), $set: { outboxSince: restAt } },
      },
    }));
    await this.destinations.documents.bulkWrite(some, { ordered: false });
  }
}

interface Write {
  readonly filter: DestinationFilter;
  readonly update: DestinationChange;
}

const removing = (events: Publication['events']): DestinationChange => ({
  $pull: { outbox: { id: { $in: events.map(({ id }) => id) } } },
});

function emptying({ destination: { _id, ws, outbox = [] } }: Publication): Write {
  const last = outbox.at(-1);
  // What two told at once may be taken out by halves, and leave nothing.
  const isSeen = last && { [`outbox.${outbox.length - 1}.id`]: last.id };
  return {
    filter: { _id, ws, ...isSeen, [`outbox.${outbox.length}`]: { $exists: false } },
    update: { $unset: { outbox: 1, outboxAt: 1, outboxBy: 1, outboxSince: 1 } as const },
  };
}

/** Where something was added since, the destination is looked at anew. */
const postponing = ({ destination: { _id, ws, outboxAt }, events }: Publication, restAt: Date): Write => ({
  filter: { _id, ws, outboxAt },
  update: { ...removing(events), $set: { outboxAt: restAt, outboxSince: restAt } },
});
