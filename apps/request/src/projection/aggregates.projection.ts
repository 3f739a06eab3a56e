import { TOPICS } from '@opendsr-service/contracts';
import { foldByRequest, decodeValid, type Projection } from '@opendsr-service/replay';
import type { AggregateDocument } from '../aggregates/aggregate.document';
import {
  aggregateFacts,
  foldEvent,
  isAggregateBeyond,
  isUnknownToLog,
  loggedEvents,
  mergedAggregate,
} from './aggregate-from-log';

/** Rebuilds request states from their events (decisions 2 and 3). */
export const aggregatesProjection: Projection<AggregateDocument> = {
  name: 'request',
  database: 'request',
  collection: 'aggregates',
  topics: [TOPICS.requestEvents.name],
  changingFields: ['v', 'commandSeq', 'outbox', 'outboxAt'] satisfies (keyof AggregateDocument)[],
  startFold: (scratch) => {
    const take = foldByRequest(scratch, 'aggregates', foldEvent);
    return Promise.resolve((records) => take(decodeValid(loggedEvents, records)));
  },
  facts: aggregateFacts,
  merge: mergedAggregate,
  isAhead: isUnknownToLog,
  isBeyond: isAggregateBeyond,
};
