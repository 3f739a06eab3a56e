import { TOPICS } from '@opendsr-service/contracts';
import type { Projection } from '@opendsr-service/replay';
import type { Destination } from '../destinations/destination';
import type { FoldedDestination } from './folded-destination';
import { destinationFacts, destinationFromLog } from './destination-from-log';
import { DestinationsFold } from './destinations-fold.store';

/** Rebuilds destinations from request events, delivery events and replay commands (decision 3). */
export const destinationsProjection: Projection<Destination> = {
  name: 'callback-dispatcher',
  database: 'callback_dispatcher',
  collection: 'destinations',
  topics: [TOPICS.requestEvents.name, TOPICS.deliveryEvents.name, TOPICS.commands.name],
  changingFields: [
    'v',
    'dueAt',
    'token',
    'goneAt',
    'outboxAt',
    'outboxBy',
    'pending',
    'past',
    'outbox',
  ] satisfies (keyof Destination)[],
  startFold: (scratch, { now }) => {
    const fold = new DestinationsFold(scratch, now);
    return Promise.resolve((records) => fold.takeRecords(records));
  },
  facts: destinationFacts,
  merge: (present, folded) => destinationFromLog(present, folded as FoldedDestination),
  isBeyond: (present, folded) => present.v > folded.v,
  mayPrecede: ({ pending, past = [] }, since) =>
    [...pending, ...past].every(({ at, v }) => v > 1 || Date.parse(at) < since.getTime()),
};
