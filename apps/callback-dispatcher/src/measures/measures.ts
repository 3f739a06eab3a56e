import { CONSUMER_GROUPS } from '@opendsr-service/contracts';
import type { ParkedMeasures } from '@opendsr-service/messaging';
import {
  outboxAge,
  overdueWork,
  parkedRecords,
  secondsSince,
  type Clock,
  type Question,
} from '@opendsr-service/runtime';
import type { DestinationMeasures } from './destinations.measures.store';

const MOST_UNDELIVERED = 100_000;

/** What the callback-dispatcher's database is asked for. */
export const dispatcherQuestions = (
  clock: Clock,
  destinations: DestinationMeasures,
  parked: ParkedMeasures,
): readonly Question[] => [
  outboxAge(clock, 'delivery-events', (now) => destinations.untold(now)),
  overdueWork(clock, { callbacks: (now) => destinations.due(now) }),
  ...parkedRecords(clock, parked, { 'callback-dispatcher': CONSUMER_GROUPS['callback-dispatcher'] }),
  {
    name: 'opendsr_callbacks_undelivered',
    help: `URLs of requests for which callbacks wait or are tried again, counted up to ${MOST_UNDELIVERED}.`,
    labels: [],
    measure: async () => [{ labels: {}, value: await destinations.undelivered(MOST_UNDELIVERED) }],
  },
  {
    name: 'opendsr_callback_oldest_undelivered_seconds',
    help: 'How long ago the status changed of which a receiver has not been told the longest; 0 where all were told.',
    labels: [],
    measure: async () => {
      const now = clock.now();
      return [{ labels: {}, value: secondsSince(await destinations.oldestUndelivered(now), now) }];
    },
  },
];
