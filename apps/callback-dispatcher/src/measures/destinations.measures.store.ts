import { earliestDate } from '@opendsr-service/storage';
import type { DestinationsCollection } from '../destinations/destinations-collection.store';

/** What is asked of the destinations so often that each answer must come from an index, and from little of it. */
export class DestinationMeasures {
  constructor(private readonly destinations: Pick<DestinationsCollection, 'model' | 'documents'>) {}

  /** When the destination was due that has been the longest. */
  due(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations.model, 'dueAt', now);
  }

  /** Since when the first of what destinations have to tell has been waiting for the log. */
  unpublished(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations.model, 'outboxSince', now, 'outboxAt');
  }

  /** How many destinations have something to send, counted up to `atMost` without being read. */
  undelivered(atMost: number): Promise<number> {
    return this.destinations.documents.countDocuments({ dueAt: { $gte: new Date(0) } }, { limit: atMost });
  }

  /** When the status changed of which a receiver has not been told the longest; what is sent once more does not count. */
  oldestUndelivered(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations.model, 'undeliveredSince', now);
  }
}
