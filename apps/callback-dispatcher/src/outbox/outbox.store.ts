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

  /** Unless it was written meanwhile. `outboxSince` stays: the oldest event waits for as long. */
  async postpone(publications: readonly Publication[], until: Date): Promise<void> {
    const updates = publications.map(({ destination: { _id, ws, outboxAt } }) => ({
      updateOne: { filter: { _id, ws, outboxAt }, update: { $set: { outboxAt: until } } },
    }));
    await this.destinations.documents.bulkWrite(updates, { ordered: false });
  }

  /** Removes acknowledged events only: more may have been added since `lookedAt`. Sets the time of the rest. */
  async markPublished(publications: readonly Publication[], lookedAt: Date): Promise<void> {
    const { documents } = this.destinations;
    const postponed = publications.flatMap((publication) =>
      publication.restAt ? [{ updateOne: postponing(publication, publication.restAt) }] : [],
    );
    const emptied = emptying(publications.filter(({ restAt }) => !restAt));
    const results = await Promise.all([
      ...(postponed.length > 0 ? [documents.bulkWrite(postponed, { ordered: false })] : []),
      ...emptied.map(({ filter, update }) => documents.updateMany(filter, update)),
    ]);
    if (results.reduce((sum, { matchedCount }) => sum + matchedCount, 0) === publications.length) return;
    const some = publications.map(({ destination: { _id, ws }, events, restAt = lookedAt }) => ({
      updateOne: {
        filter: { _id, ws, 'outbox.0': { $exists: true } },
        update: { ...removing(events), $set: { outboxSince: restAt } },
      },
    }));
    await documents.bulkWrite(some, { ordered: false });
  }
}

interface Write {
  readonly filter: DestinationFilter;
  readonly update: DestinationChange;
}

const removing = (events: Publication['events']): DestinationChange => ({
  $pull: { outbox: { id: { $in: events.map(({ id }) => id) } } },
});

/**
 * One write for all outboxes of a length. An event's id names its destination, so the last one shows that nothing was added, and
 * that no other relay removed a part.
 */
function emptying(publications: readonly Publication[]): Write[] {
  const byLength = Map.groupBy(publications, ({ destination: { outbox = [] } }) => outbox.length);
  return [...byLength].map(([length, those]) => ({
    filter: {
      _id: { $in: those.map(({ destination }) => destination._id) },
      ws: { $in: [...new Set(those.map(({ destination }) => destination.ws))] },
      ...(length > 0 && {
        [`outbox.${length - 1}.id`]: { $in: those.flatMap(({ events }) => events.at(-1)?.id ?? []) },
      }),
      [`outbox.${length}`]: { $exists: false },
    },
    update: { $unset: { outbox: 1, outboxAt: 1, outboxBy: 1, outboxSince: 1 } as const },
  }));
}

/** A destination with newer events is read again. */
const postponing = ({ destination: { _id, ws, outboxAt }, events }: Publication, restAt: Date): Write => ({
  filter: { _id, ws, outboxAt },
  update: { ...removing(events), $set: { outboxAt: restAt, outboxSince: restAt } },
});
