import { TOPICS, type RequestEvent, type RequestReceived } from '@opendsr-service/contracts';
import type { GivenUpReason, Destination, StatusChange } from '../destinations/destination';
import { destinationsOf, endOf, extensionOf, statusChangeOf } from '../destinations/status-changes';

export interface CallbackHistory {
  readonly queued?: true;
  readonly ended?: 'delivered' | GivenUpReason;
  readonly givenUp?: true;
  readonly lastAt: string;
}

export interface FoldedDestination extends Destination {
  readonly foldedIds: readonly string[];
  readonly callbacks: Readonly<Record<string, CallbackHistory>>;
  readonly isSettledInLog?: true;
  /** Time of the fold; overdue callbacks are sent at once. */
  readonly asOf: Date;
}

/** Older than the retention of delivery events, and so surely ended. */
export const isForgotten = ({ at }: Pick<StatusChange, 'at'>, asOf: Date): boolean =>
  Date.parse(at) < asOf.getTime() - TOPICS.deliveryEvents.retentionMs;

export const openDestinations = (event: RequestReceived, asOf: Date): FoldedDestination[] =>
  destinationsOf(event).map((destination) =>
    withChange(
      { ...destination, pending: [], foldedIds: [], callbacks: {}, asOf },
      destination.pending[0] as StatusChange,
    ),
  );

export function foldRequestEvent(destination: FoldedDestination, event: RequestEvent): FoldedDestination {
  if (event.version !== destination.v + 1) return destination;
  const change = statusChangeOf(event);
  const next = { ...destination, v: event.version, ...extensionOf(event) };
  return change ? withChange(next, change) : next;
}

/** Ended callbacks do not wait; forgotten ones count as delivered. */
function withChange(destination: FoldedDestination, change: StatusChange): FoldedDestination {
  const waiting = { ...destination, pending: [...destination.pending, change] };
  const ended =
    destination.callbacks[change.v]?.ended ??
    (destination.goneAt ? 'gone' : isForgotten(change, destination.asOf) ? 'delivered' : undefined);
  return ended
    ? removeFirst(waiting, change.v, { at: destination.callbacks[change.v]?.lastAt ?? change.at, as: ended })
    : waiting;
}

interface Ending {
  readonly at: string;
  readonly as: 'delivered' | GivenUpReason;
}

/** Removes a callback. A first delivery is kept for replays; a final one settles the destination. */
export function removeFirst<L extends Destination>(destination: L, v: number, { at, as }: Ending): L {
  const callback = destination.pending.find((one) => one.v === v);
  if (!callback) return destination;
  const { past = [] } = destination;
  const pending = destination.pending.filter((one) => one !== callback);
  const end = endOf(callback, as, new Date(at));
  if (!end.past) return { ...destination, pending };
  const outcome = destination.outcome ?? end.outcome;
  return {
    ...destination,
    pending,
    past: [...past, end.past].sort((a, b) => a.v - b.v),
    ...(outcome && { outcome }),
  };
}

export function gone<L extends Destination>(destination: L, at: string): L {
  const empty = destination.pending.reduce((left, { v }) => removeFirst(left, v, { at, as: 'gone' }), destination);
  return { ...empty, goneAt: destination.goneAt ?? new Date(at), outcome: destination.outcome ?? 'gone' };
}

/** Removes undefined fields, which stores keep as null. */
export const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
