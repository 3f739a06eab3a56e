import type { DeliveryEvent } from '@opendsr-service/contracts';
import type { UntoldDestination } from '../destinations/destination';
import { destinationSettled } from '../destinations/destination-events';

/** What the log is told of a destination now. */
export interface Telling {
  readonly destination: UntoldDestination;
  readonly events: readonly DeliveryEvent[];
  /** When the rest is told, where there is one. */
  readonly restAt?: Date;
}

/** Destinations of the version before have no outbox: what they have to tell is how they were settled. */
const outboxOf = (destination: UntoldDestination): readonly DeliveryEvent[] =>
  destination.outbox ??
  (destination.outcome ? [destinationSettled(destination, destination.outcome, destination.tellAt)] : []);

/** A try that reached nobody is told of when the longest would have ended: whoever may name URLs must not see from callbacks how long it took. */
const tellableMs = (event: DeliveryEvent, longestTryMs: number): number =>
  event.type === 'CallbackAttempted' && event.outcome === 'unreachable' ? Date.parse(event.at) + longestTryMs : 0;

/** In the order in which it happened: what may not be told yet keeps back what comes behind it. */
export function tellingOf(destination: UntoldDestination, now: Date, longestTryMs: number): Telling {
  const all = outboxOf(destination);
  const end = all.findIndex((event) => tellableMs(event, longestTryMs) > now.getTime());
  const next = all[end];
  return next
    ? { destination, events: all.slice(0, end), restAt: new Date(tellableMs(next, longestTryMs)) }
    : { destination, events: all };
}
