import type { UnpublishedDestination } from '../destinations/destination';
import type {
  DestinationChange,
  DestinationFilter,
  DestinationsCollection,
} from '../destinations/destinations-collection.store';
import type { Publication } from './publication';

/** After this time a process publishes what another one wrote. */
const TAKEOVER_MS = 10_000;

export class DestinationOutbox {
  constructor(private readonly destinations: DestinationsCollection) {}

  /** Destinations to publish, the oldest first: those that this process wrote last, and overdue ones of others. */
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
        projection: { ws: 1, outbox: 1, outboxAt: 1 },
      })
      .toArray();
    return found as Pick<UnpublishedDestination, '_id'>[] as UnpublishedDestination[];
  }

  /** Removes acknowledged events only: more may have been added since `lookedAt`. Sets the time of the rest. */
  async markPublished(publications: readonly Publication[], lookedAt: Date): Promise<void> {
    const all = publications.map((publication) => ({
      updateOne: publication.restAt ? postponing(publication, publication.restAt) : emptying(publication),
    }));
    const { matchedCount } = await this.destinations.documents.bulkWrite(all, { ordered: false });
    if (matchedCount === publications.length) return;
    const some = publications.map(({ destination: { _id, ws }, events, restAt = lookedAt }) => ({
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
  // Two relays may each have removed a part.
  const isSeen = last && { [`outbox.${outbox.length - 1}.id`]: last.id };
  return {
    filter: { _id, ws, ...isSeen, [`outbox.${outbox.length}`]: { $exists: false } },
    update: { $unset: { outbox: 1, outboxAt: 1, outboxBy: 1, outboxSince: 1 } as const },
  };
}

/** A destination with newer events is read again. */
const postponing = ({ destination: { _id, ws, outboxAt }, events }: Publication, restAt: Date): Write => ({
  filter: { _id, ws, outboxAt },
  update: { ...removing(events), $set: { outboxAt: restAt, outboxSince: restAt } },
});
