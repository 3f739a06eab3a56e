import { earliestDate } from '@opendsr-service/storage';
import type { Collection } from 'mongoose';
import type { Destination } from '../destinations/destination';
import type { DestinationsCollection } from '../destinations/destinations-collection.store';

/** Frequent queries: each must be answered from an index. */
export class DestinationMeasures {
  private readonly destinations: { readonly collection: Collection<Destination> };

  constructor({ documents }: DestinationsCollection) {
    this.destinations = { collection: documents };
  }

  due(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations, 'dueAt', now);
  }

  unpublished(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations, 'outboxSince', now, 'outboxAt');
  }

  undelivered(atMost: number): Promise<number> {
    return this.destinations.collection.countDocuments({ dueAt: { $gte: new Date(0) } }, { limit: atMost });
  }

  oldestUndelivered(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations, 'undeliveredSince', now);
  }
}
