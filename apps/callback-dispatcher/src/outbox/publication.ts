import type { DeliveryEvent } from '@opendsr-service/contracts';
import type { UnpublishedDestination } from '../destinations/destination';
import { destinationSettled } from '../destinations/destination-events';

/** What the log is told of a destination now. */
export interface Publication {
  readonly destination: UnpublishedDestination;
  readonly events: readonly DeliveryEvent[];
  /** When the rest is told, where there is one. */
  readonly restAt?: Date;
}

/** Destinations of the version before have no outbox: what they have to tell is how they were settled. */
const outboxOf = (destination: UnpublishedDestination): readonly DeliveryEvent[] =>
  destination.outbox ??
  (destination.outcome ? [destinationSettled(destination, destination.outcome, destination.outboxAt)] : []);

/** A try that reached nobody is told of when the longest would have ended: whoever may name URLs must not see from callbacks how long it took. */
const publishableMs = (event: DeliveryEvent, longestTryMs: number): number =>
  event.type === 'CallbackAttempted' && event.outcome === 'unreachable' ? Date.parse(event.at) + longestTryMs : 0;

/** In the order in which it happened: what may not be told yet keeps back what comes behind it. */
export function publicationOf(destination: UnpublishedDestination, now: Date, longestTryMs: number): Publication {
  const all = outboxOf(destination);
  const end = all.findIndex((event) => publishableMs(event, longestTryMs) > now.getTime());
  const next = all[end];
  return next
    ? { destination, events: all.slice(0, end), restAt: new Date(publishableMs(next, longestTryMs)) }
    : { destination, events: all };
}
