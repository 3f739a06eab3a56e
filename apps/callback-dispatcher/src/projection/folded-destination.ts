import { TOPICS, type RequestEvent, type RequestReceived } from '@opendsr-service/contracts';
import type { GivenUpReason, Destination, StatusChange } from '../destinations/destination';
import { changeOf, isFinal, destinationsOf, statusChangeOf } from '../destinations/status-changes';

/** What the log told of one callback. */
export interface CallbackHistory {
  /** That it was queued for the first time. */
  readonly queued?: true;
  /** How it ended, where it did. */
  readonly ended?: 'delivered' | GivenUpReason;
  /** That it was given up, by an event of its own. */
  readonly givenUp?: true;
  /** The time of the last that was told. */
  readonly lastAt: string;
}

/** A destination as the log tells it, with what is needed to know events again that come a second time. */
export interface FoldedDestination extends Destination {
  /** Ids of the last delivery events about it. */
  readonly foldedIds: readonly string[];
  readonly callbacks: Readonly<Record<string, CallbackHistory>>;
  /** The log told that the destination is settled. */
  readonly isSettledInLog?: true;
  /** When the log was read: what is due by then goes out at once. */
  readonly asOf: Date;
}

/** Whether the log has forgotten by now what became of a callback: retries end long before that. */
export const isForgotten = ({ at }: Pick<StatusChange, 'at'>, asOf: Date): boolean =>
  Date.parse(at) < asOf.getTime() - TOPICS.deliveryEvents.retentionMs;

/** The destinations of a request as they begin. */
export const openDestinations = (event: RequestReceived, asOf: Date): FoldedDestination[] =>
  destinationsOf(event).map((destination) =>
    withChange(
      { ...destination, pending: [], foldedIds: [], callbacks: {}, asOf },
      destination.pending[0] as StatusChange,
    ),
  );

/** Applies event n to a destination that has seen n-1; any other was seen before. */
export function foldRequestEvent(destination: FoldedDestination, event: RequestEvent): FoldedDestination {
  if (event.version !== destination.v + 1) return destination;
  const change = statusChangeOf(event);
  const next = { ...destination, v: event.version };
  return change ? withChange(next, change) : next;
}

/** What the log told to have ended waits no more, and what it has forgotten counts as delivered. */
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

/** Takes a callback off. What ends for the first time is kept for replays, and the one of a final status settles the destination. */
export function removeFirst<L extends Destination>(destination: L, v: number, { at, as }: Ending): L {
  const callback = destination.pending.find((one) => one.v === v);
  if (!callback) return destination;
  const { past = [], outcome } = destination;
  const pending = destination.pending.filter((one) => one !== callback);
  if (callback.replay !== undefined) return { ...destination, pending };
  const ended = { ...changeOf(callback), ...(as !== 'delivered' && { reason: as }), endedAt: new Date(at) };
  const settled = outcome ?? (isFinal(callback) ? as : undefined);
  return {
    ...destination,
    pending,
    past: [...past, ended].sort((a, b) => a.v - b.v),
    ...(settled && { outcome: settled }),
  };
}

/** Nothing is sent to a receiver that is gone: all that waits is given up with it. */
export function gone<L extends Destination>(destination: L, at: string): L {
  const empty = destination.pending.reduce((left, { v }) => removeFirst(left, v, { at, as: 'gone' }), destination);
  return { ...empty, goneAt: destination.goneAt ?? new Date(at), outcome: destination.outcome ?? 'gone' };
}

/** Without what is undefined, which stores would keep as null. */
export const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
