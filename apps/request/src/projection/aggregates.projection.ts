import { requestEvents, TOPICS } from '@opendsr-service/contracts';
import { byRequest, decodable, type Projection } from '@opendsr-service/runtime';
import type { AggregateDocument } from '../aggregates/aggregate.document';
import { aggregateFacts, foldEvent, isAggregateBeyond, isUnheardOf, mergedAggregate } from './aggregate-from-log';

/** The states of requests as their events have them (D2, D3). */
export const aggregatesProjection: Projection<AggregateDocument> = {
  name: 'request',
  database: 'request',
  collection: 'aggregates',
  topics: [TOPICS.requestEvents.name],
  changing: ['v', 'commandSeq', 'outbox', 'outboxAt'] satisfies (keyof AggregateDocument)[],
  into: (scratch) => {
    const take = byRequest(scratch, 'aggregates', foldEvent);
    return Promise.resolve((records) => take(decodable(requestEvents, records)));
  },
  facts: aggregateFacts,
  merged: mergedAggregate,
  isAhead: isUnheardOf,
  isBeyond: isAggregateBeyond,
};
