import { deliveryEvents, TOPICS, type DeliveryEvent } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';

/** Resolves once the log has the events. */
export type PublishDeliveries = (events: readonly DeliveryEvent[]) => Promise<void>;

export const publishDeliveries =
  (publisher: Pick<Publisher, 'publish'>): PublishDeliveries =>
  (events) =>
    publisher.publish(
      TOPICS.deliveryEvents.name,
      events.map((event) => deliveryEvents.encode(event)),
    );
