import { earliestDate } from '@opendsr-service/storage';
import type { DestinationsCollection } from '../destinations/destinations-collection.store';

/** Frequent queries: each must be answered from an index. */
export class DestinationMeasures {
  constructor(private readonly destinations: Pick<DestinationsCollection, 'model' | 'documents'>) {}

  due(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations.model, 'dueAt', now);
  }

  unpublished(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations.model, 'outboxSince', now, 'outboxAt');
  }

  undelivered(atMost: number): Promise<number> {
    return this.destinations.documents.countDocuments({ dueAt: { $gte: new Date(0) } }, { limit: atMost });
  }

  oldestUndelivered(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations.model, 'undeliveredSince', now);
  }
}
