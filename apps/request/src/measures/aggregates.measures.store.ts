import { earliestDate } from '@opendsr-service/storage';
import type { Connection, Model } from 'mongoose';
import type { AggregateDocument } from '../aggregates/aggregate.document';
import { aggregateModel } from '../aggregates/aggregate-model.store';

export class AggregateMeasures {
  private readonly model: Model<AggregateDocument>;

  constructor(connection: Connection) {
    this.model = aggregateModel(connection);
  }

  oldestEvent(now: Date): Promise<Date | undefined> {
    return earliestDate(this.model, 'outboxSince', now);
  }
}
