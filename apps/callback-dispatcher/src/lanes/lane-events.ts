import {
  messageId,
  type CallbackAttempted,
  type CallbackGivenUp,
  type CallbackQueued,
  type LaneSettled,
} from '@opendsr-service/contracts';
import type { GivenUpReason, Lane, PendingCallback, StatusChange } from './lane';

type Of = Pick<Lane, '_id' | 'ws' | 'srid' | 'lane'>;

/** One try of a callback. */
export interface Tried extends Pick<CallbackAttempted, 'outcome' | 'httpStatus' | 'durationMs'> {
  /** Counted from 1, over replays too. */
  readonly attempt: number;
  /** When it began. */
  readonly at: Date;
  /** When it is tried again, if it is. */
  readonly nextAt?: Date;
}

/** The id of a callback: the same on every try and every replay, so that receivers recognise a repeat. */
export const deliveryId = (lane: Pick<Lane, '_id'>, v: number): string => messageId(lane._id, v);

const ofLane = ({ ws, srid, lane }: Of) => ({ ws, srid, lane });
const ofCallback = (lane: Of, { v, status }: StatusChange) => ({
  ...ofLane(lane),
  delivery: deliveryId(lane, v),
  version: v,
  status,
});

export const callbackQueued = (
  lane: Of,
  callback: PendingCallback,
  { at, dueAt }: { at: string; dueAt: Date },
): CallbackQueued => ({
  type: 'CallbackQueued',
  id: messageId(lane._id, callback.v, 'queued', callback.replay ?? ''),
  ...ofCallback(lane, callback),
  at,
  dueAt: dueAt.toISOString(),
  replay: callback.replay !== undefined,
});

export const callbackAttempted = (
  lane: Of,
  callback: PendingCallback,
  { at, attempt, nextAt, ...told }: Tried,
): CallbackAttempted => {
  const of = ofCallback(lane, callback);
  return {
    type: 'CallbackAttempted',
    id: messageId(of.delivery, 'attempt', attempt),
    ...of,
    ...{ at: at.toISOString(), attempt, ...told },
    ...(nextAt && { nextAt: nextAt.toISOString() }),
  };
};

export const callbackGivenUp = (
  lane: Of & Pick<Lane, 'attempts'>,
  callback: PendingCallback,
  { reason, at }: { reason: GivenUpReason; at: Date },
): CallbackGivenUp => ({
  type: 'CallbackGivenUp',
  // A replay may be given up without a further try, and is then no repeat of the giving up before it.
  id: messageId(deliveryId(lane, callback.v), 'given-up', lane.attempts?.[callback.v] ?? 0, callback.replay ?? ''),
  ...ofCallback(lane, callback),
  at: at.toISOString(),
  reason,
});

export const laneSettled = (lane: Of, outcome: LaneSettled['outcome'], at: Date): LaneSettled => ({
  type: 'LaneSettled',
  id: messageId(lane._id, 'settled'),
  ...ofLane(lane),
  at: at.toISOString(),
  outcome,
});
