import { bothEnds } from '@opendsr-service/storage';
import type { Connection, Model } from 'mongoose';
import type { AggregateDocument } from '../aggregates/aggregate.document';
import { aggregateModel } from '../aggregates/aggregate-model.store';

/** So many aggregates are read at each end of those with unpublished events. */
const LOOKED_AT = 200;

/** What is asked of the aggregates so often that each answer must come from an index, and from little of it. */
export class AggregateMeasures {
  private readonly model: Model<AggregateDocument>;

  constructor(connection: Connection) {
    this.model = aggregateModel(connection);
  }

  /** Since when the oldest event has been waiting to be published. Those of an earlier version do not say so: then it is since they were last to be published. */
  async oldestEvent(now: Date): Promise<Date | undefined> {
    const waiting = await bothEnds<AggregateDocument>(this.model, { field: 'outboxAt', each: LOOKED_AT, projection: { outboxSince: 1, outboxAt: 1 } });
    const times = waiting.map(({ outboxSince, outboxAt }) => (outboxSince ?? outboxAt ?? now).getTime());
    return times.length > 0 ? new Date(Math.min(...times)) : undefined;
  }
}
