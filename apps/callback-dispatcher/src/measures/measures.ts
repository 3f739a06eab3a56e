import { outboxAgeGauge, overdueWorkGauge, secondsSince, type Clock, type StoreGauge } from '@opendsr-service/service';
import type { DestinationMeasures } from './destinations.measures.store';

const MAX_UNDELIVERED_SHOWN = 100_000;

/** What the callback-dispatcher's database is asked for. */
export const dispatcherGauges = (clock: Clock, destinations: DestinationMeasures): readonly StoreGauge[] => [
  outboxAgeGauge(clock, 'delivery-events', (now) => destinations.unpublished(now)),
  overdueWorkGauge(clock, { callbacks: (now) => destinations.due(now) }),
  {
    name: 'opendsr_callbacks_undelivered',
    help: `Destinations with pending callbacks, counted up to ${MAX_UNDELIVERED_SHOWN}.`,
    labels: [],
    measure: async () => [{ labels: {}, value: await destinations.undelivered(MAX_UNDELIVERED_SHOWN) }],
  },
  {
    name: 'opendsr_callback_oldest_undelivered_seconds',
    help: 'Age of the oldest status change that its receiver has not received; 0 where there is none.',
    labels: [],
    measure: async () => {
      const now = clock.now();
      return [{ labels: {}, value: secondsSince(await destinations.oldestUndelivered(now), now) }];
    },
  },
];
