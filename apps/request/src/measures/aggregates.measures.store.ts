import { earliestDate } from '@opendsr-service/storage';
import type { Connection, Model } from 'mongoose';
import type { AggregateDocument } from '../aggregates/aggregate.document';
import { aggregateModel } from '../aggregates/aggregate-model.store';

/** What is asked of the aggregates so often that each answer must come from an index, and from little of it. */
export class AggregateMeasures {
  private readonly model: Model<AggregateDocument>;

  constructor(connection: Connection) {
    this.model = aggregateModel(connection);
  }

  /** Since when the oldest event has been waiting to be published. */
  oldestEvent(now: Date): Promise<Date | undefined> {
    return earliestDate(this.model, 'outboxSince', now);
  }
}
