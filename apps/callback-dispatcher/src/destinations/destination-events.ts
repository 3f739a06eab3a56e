import {
  messageId,
  type CallbackAttempted,
  type CallbackGivenUp,
  type CallbackQueued,
  type DestinationSettled,
} from '@opendsr-service/contracts';
import type { GivenUpReason, Destination, PendingCallback, StatusChange } from './destination';

type Of = Pick<Destination, '_id' | 'ws' | 'srid' | 'destination'>;

export interface Attempt extends Pick<CallbackAttempted, 'outcome' | 'httpStatus' | 'durationMs'> {
  /** Counted from 1, replays included. */
  readonly attempt: number;
  readonly at: Date;
  readonly nextAt?: Date;
}

/** The same on every attempt and replay, so that receivers recognise a repeat. */
export const deliveryId = (destination: Pick<Destination, '_id'>, v: number): string => messageId(destination._id, v);

const ofDestination = ({ ws, srid, destination }: Of) => ({ ws, srid, destination });
const ofCallback = (destination: Of, { v, status }: StatusChange) => ({
  ...ofDestination(destination),
  delivery: deliveryId(destination, v),
  version: v,
  status,
});

export const callbackQueued = (
  destination: Of,
  callback: PendingCallback,
  { at, dueAt }: { at: string; dueAt: Date },
): CallbackQueued => ({
  type: 'CallbackQueued',
  id: messageId(destination._id, callback.v, 'queued', callback.replay ?? ''),
  ...ofCallback(destination, callback),
  at,
  dueAt: dueAt.toISOString(),
  replay: callback.replay !== undefined,
});

export const callbackAttempted = (
  destination: Of,
  callback: PendingCallback,
  { at, attempt, nextAt, ...outcome }: Attempt,
): CallbackAttempted => {
  const of = ofCallback(destination, callback);
  return {
    type: 'CallbackAttempted',
    id: messageId(of.delivery, 'attempt', attempt),
    ...of,
    ...{ at: at.toISOString(), attempt, ...outcome },
    ...(nextAt && { nextAt: nextAt.toISOString() }),
  };
};

export const callbackGivenUp = (
  destination: Of & Pick<Destination, 'attempts'>,
  callback: PendingCallback,
  { reason, at }: { reason: GivenUpReason; at: Date },
): CallbackGivenUp => ({
  type: 'CallbackGivenUp',
  // Distinct for each replay: one may be given up without a further attempt.
  id: messageId(
    deliveryId(destination, callback.v),
    'given-up',
    destination.attempts?.[callback.v] ?? 0,
    callback.replay ?? '',
  ),
  ...ofCallback(destination, callback),
  at: at.toISOString(),
  reason,
});

export const destinationSettled = (
  destination: Of,
  outcome: DestinationSettled['outcome'],
  at: Date,
): DestinationSettled => ({
  type: 'DestinationSettled',
  id: messageId(destination._id, 'settled'),
  ...ofDestination(destination),
  at: at.toISOString(),
  outcome,
});
