import { outboxAgeGauge, overdueWorkGauge, secondsSince, type Clock, type StoreGauge } from '@opendsr-service/service';
import { earliestDate } from '@opendsr-service/storage';
import type { Collection } from 'mongoose';
import type { Destination } from '../destinations/destination';
import type { DestinationsCollection } from '../destinations/destinations-collection.store';

const MAX_UNDELIVERED_SHOWN = 100_000;

/** Frequent queries: each must be answered from an index. */
export class DestinationMeasures {
  private readonly destinations: Collection<Destination>;

  constructor({ documents }: DestinationsCollection) {
    this.destinations = documents;
  }

  due(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations, 'dueAt', now);
  }

  unpublished(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations, 'outboxSince', now, 'outboxAt');
  }

  undelivered(atMost: number): Promise<number> {
    return this.destinations.countDocuments({ dueAt: { $gte: new Date(0) } }, { limit: atMost });
  }

  oldestUndelivered(now: Date): Promise<Date | undefined> {
    return earliestDate(this.destinations, 'undeliveredSince', now);
  }

  gauges(clock: Clock): readonly StoreGauge[] {
    return [
      outboxAgeGauge(clock, 'delivery-events', (now) => this.unpublished(now)),
      overdueWorkGauge(clock, { callbacks: (now) => this.due(now) }),
      {
        name: 'opendsr_callbacks_undelivered',
        help: `Destinations with pending callbacks, counted up to ${MAX_UNDELIVERED_SHOWN}.`,
        labels: [],
        measure: async () => [{ labels: {}, value: await this.undelivered(MAX_UNDELIVERED_SHOWN) }],
      },
      {
        name: 'opendsr_callback_oldest_undelivered_seconds',
        help: 'Age of the oldest status change that its receiver has not received; 0 where there is none.',
        labels: [],
        measure: async () => {
          const now = clock.now();
          return [{ labels: {}, value: secondsSince(await this.oldestUndelivered(now), now) }];
        },
      },
    ];
  }
}
