import type { DeliveryEvent } from '@opendsr-service/contracts';
import type { UntoldLane } from '../lanes/lane';
import { laneSettled } from '../lanes/lane-events';

/** What the log is told of a lane now. */
export interface Telling {
  readonly lane: UntoldLane;
  readonly events: readonly DeliveryEvent[];
  /** When the rest is told, where there is one. */
  readonly restAt?: Date;
}

/** Lanes of the version before have no outbox: what they have to tell is how they were settled. */
const outboxOf = (lane: UntoldLane): readonly DeliveryEvent[] =>
  lane.outbox ?? (lane.outcome ? [laneSettled(lane, lane.outcome, lane.tellAt)] : []);

/** A try that reached nobody is told of when the longest would have ended: whoever may name URLs must not see from callbacks how long it took. */
const tellableMs = (event: DeliveryEvent, longestTryMs: number): number =>
  event.type === 'CallbackAttempted' && event.outcome === 'unreachable' ? Date.parse(event.at) + longestTryMs : 0;

/** In the order in which it happened: what may not be told yet keeps back what comes behind it. */
export function tellingOf(lane: UntoldLane, now: Date, longestTryMs: number): Telling {
  const all = outboxOf(lane);
  const end = all.findIndex((event) => tellableMs(event, longestTryMs) > now.getTime());
  const next = all[end];
  return next
    ? { lane, events: all.slice(0, end), restAt: new Date(tellableMs(next, longestTryMs)) }
    : { lane, events: all };
}
