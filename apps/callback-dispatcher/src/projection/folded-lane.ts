import { TOPICS, type RequestEvent, type RequestReceived } from '@opendsr-service/contracts';
import type { GivenUpReason, Lane, StatusChange } from '../lanes/lane';
import { changeOf, isFinal, lanesOf, statusChangeOf } from '../lanes/status-changes';

/** What the log told of one callback. */
export interface Telling {
  /** That it was queued for the first time. */
  readonly queued?: true;
  /** How it ended, where it did. */
  readonly ended?: 'delivered' | GivenUpReason;
  /** That it was given up, by an event of its own. */
  readonly givenUp?: true;
  /** The time of the last that was told. */
  readonly lastAt: string;
}

/** A lane as the log tells it, with what is needed to know events again that come a second time. */
export interface FoldedLane extends Lane {
  /** Ids of the last delivery events about it. */
  readonly heard: readonly string[];
  readonly tellings: Readonly<Record<string, Telling>>;
  /** The log told that the lane is settled. */
  readonly isToldSettled?: true;
  /** When the log was read: what is due by then goes out at once. */
  readonly asOf: Date;
}

/** Whether the log has forgotten by now what became of a callback: retries end long before that. */
export const isForgotten = ({ at }: Pick<StatusChange, 'at'>, asOf: Date): boolean =>
  Date.parse(at) < asOf.getTime() - TOPICS.deliveryEvents.retentionMs;

/** The lanes of a request as they begin. */
export const beginLanes = (event: RequestReceived, asOf: Date): FoldedLane[] =>
  lanesOf(event).map((lane) =>
    withChange({ ...lane, pending: [], heard: [], tellings: {}, asOf }, lane.pending[0] as StatusChange),
  );

/** Applies event n to a lane that has seen n-1; any other was seen before. */
export function foldRequestEvent(lane: FoldedLane, event: RequestEvent): FoldedLane {
  if (event.version !== lane.v + 1) return lane;
  const change = statusChangeOf(event);
  const next = { ...lane, v: event.version };
  return change ? withChange(next, change) : next;
}

/** What the log told to have ended waits no more, and what it has forgotten counts as delivered. */
function withChange(lane: FoldedLane, change: StatusChange): FoldedLane {
  const waiting = { ...lane, pending: [...lane.pending, change] };
  const ended =
    lane.tellings[change.v]?.ended ?? (lane.goneAt ? 'gone' : isForgotten(change, lane.asOf) ? 'delivered' : undefined);
  return ended ? takenOff(waiting, change.v, { at: lane.tellings[change.v]?.lastAt ?? change.at, as: ended }) : waiting;
}

interface Ending {
  readonly at: string;
  readonly as: 'delivered' | GivenUpReason;
}

/** Takes a callback off. What ends for the first time is kept for replays, and the one of a final status settles the lane. */
export function takenOff<L extends Lane>(lane: L, v: number, { at, as }: Ending): L {
  const callback = lane.pending.find((one) => one.v === v);
  if (!callback) return lane;
  const { past = [], outcome } = lane;
  const pending = lane.pending.filter((one) => one !== callback);
  if (callback.replay !== undefined) return { ...lane, pending };
  const ended = { ...changeOf(callback), ...(as !== 'delivered' && { reason: as }), endedAt: new Date(at) };
  const settled = outcome ?? (isFinal(callback) ? as : undefined);
  return { ...lane, pending, past: [...past, ended].sort((a, b) => a.v - b.v), ...(settled && { outcome: settled }) };
}

/** Nothing is sent to a receiver that is gone: all that waits is given up with it. */
export function gone<L extends Lane>(lane: L, at: string): L {
  const empty = lane.pending.reduce((left, { v }) => takenOff(left, v, { at, as: 'gone' }), lane);
  return { ...empty, goneAt: lane.goneAt ?? new Date(at), outcome: lane.outcome ?? 'gone' };
}

/** Without what is undefined, which stores would keep as null. */
export const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
