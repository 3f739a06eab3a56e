import { REQUEST_STATUSES } from '../vocabulary';
import { message, text, time, uuid, type Shape } from './schema';

const DESTINATION_OUTCOMES = ['delivered', 'gone', 'exhausted', 'key-destroyed'] as const;

export const GIVEN_UP_REASONS = ['gone', 'exhausted', 'key-destroyed'] as const;

/** `unreachable`: any failure without a response, so that callbacks cannot scan ports; `postponed`: no attempt, for our own reasons. */
export const DELIVERY_OUTCOMES = ['delivered', 'rejected', 'gone', 'unreachable', 'postponed'] as const;

/** `destination`: keyed hash of the URL; `delivery`: id of the callback over all attempts; `version`: of the request event. */
const head = { id: uuid, ws: text, srid: uuid, at: time, destination: text } as const;
const ofCallback = {
  ...head,
  delivery: uuid,
  version: { type: 'integer', minimum: 1 },
  status: { type: 'string', enum: REQUEST_STATUSES },
} as const;
const always = ['id', 'ws', 'srid', 'at', 'destination'] as const;
const alwaysOfCallback = [...always, 'delivery', 'version', 'status'] as const;

export const DELIVERY_EVENT_SCHEMAS = {
  CallbackQueued: message('CallbackQueued', { ...ofCallback, dueAt: time, replay: { type: 'boolean' } }, [
    ...alwaysOfCallback,
    'dueAt',
    'replay',
  ]),
  CallbackAttempted: message(
    'CallbackAttempted',
    {
      ...ofCallback,
      attempt: { type: 'integer', minimum: 1 },
      outcome: { type: 'string', enum: DELIVERY_OUTCOMES },
      httpStatus: { type: 'integer', minimum: 100, maximum: 999 },
      durationMs: { type: 'integer', minimum: 0 },
      nextAt: time,
    },
    [...alwaysOfCallback, 'attempt', 'outcome'],
  ),
  CallbackGivenUp: message('CallbackGivenUp', { ...ofCallback, reason: { type: 'string', enum: GIVEN_UP_REASONS } }, [
    ...alwaysOfCallback,
    'reason',
  ]),
  DestinationSettled: message(
    'DestinationSettled',
    { ...head, outcome: { type: 'string', enum: DESTINATION_OUTCOMES } },
    [...always, 'outcome'],
  ),
} as const;

/** `at`: when the status changed, or when the replay was requested. */
export type CallbackQueued = Shape<typeof DELIVERY_EVENT_SCHEMAS.CallbackQueued>;
/** `httpStatus` and `durationMs`: of the response; `nextAt`: of the next attempt. */
export type CallbackAttempted = Shape<typeof DELIVERY_EVENT_SCHEMAS.CallbackAttempted>;
/** It can be replayed while the key of its URL exists. */
export type CallbackGivenUp = Shape<typeof DELIVERY_EVENT_SCHEMAS.CallbackGivenUp>;
/** After the last one the request's key may be destroyed (decision 4). */
export type DestinationSettled = Shape<typeof DELIVERY_EVENT_SCHEMAS.DestinationSettled>;
export type DeliveryEvent = CallbackQueued | CallbackAttempted | CallbackGivenUp | DestinationSettled;
