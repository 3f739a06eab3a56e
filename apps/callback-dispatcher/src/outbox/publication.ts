import type { DeliveryEvent } from '@opendsr-service/contracts';
import type { UnpublishedDestination } from '../destinations/destination';

export interface Publication {
  readonly destination: UnpublishedDestination;
  readonly events: readonly DeliveryEvent[];
  readonly restAt?: Date;
}

/** An unreachable attempt is published when the longest one would have ended, so that URLs cannot probe networks. */
const publishableMs = (event: DeliveryEvent, longestTryMs: number): number =>
  event.type === 'CallbackAttempted' && event.outcome === 'unreachable' ? Date.parse(event.at) + longestTryMs : 0;

/** Keeps the order: an event that is held back holds back those behind it. */
export function publicationOf(destination: UnpublishedDestination, now: Date, longestTryMs: number): Publication {
  const all = destination.outbox ?? [];
  const end = all.findIndex((event) => publishableMs(event, longestTryMs) > now.getTime());
  const next = all[end];
  return next
    ? { destination, events: all.slice(0, end), restAt: new Date(publishableMs(next, longestTryMs)) }
    : { destination, events: all };
}
