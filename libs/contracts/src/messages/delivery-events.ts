import { REQUEST_STATUSES } from '../vocabulary';
import { message, text, time, uuid, type Shape } from './schema';

/**
 * Why nothing more is sent to a URL: all delivered, receiver gone (410), retries exhausted, or the URL's key destroyed.
 */
export const DESTINATION_OUTCOMES = ['delivered', 'gone', 'exhausted', 'key-destroyed'] as const;

/** Why a callback was taken off its destination without being delivered. */
export const GIVEN_UP_REASONS = ['gone', 'exhausted', 'key-destroyed'] as const;

/**
 * The outcome of one attempt, as shown to controllers: `rejected` is a response other than 2xx and 410; `unreachable`
 * is every failure without a response, so that callbacks cannot scan ports; `postponed`: nothing was sent, for a reason
 * of ours.
 */
export const DELIVERY_OUTCOMES = ['delivered', 'rejected', 'gone', 'unreachable', 'postponed'] as const;

/**
 * `destination` is the keyed hash of the URL, as in the admission's `callbacks`; `delivery` the id that every try of
 * one callback carries; `version` that of the request event that changed the status.
 */
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

/** A callback is due, first or as a `replay`; `at`: when its status changed, or when the replay was requested. */
export type CallbackQueued = Shape<typeof DELIVERY_EVENT_SCHEMAS.CallbackQueued>;
/** One attempt, counted over replays. `httpStatus` and `durationMs`: of a response; `nextAt`: of the next attempt. */
export type CallbackAttempted = Shape<typeof DELIVERY_EVENT_SCHEMAS.CallbackAttempted>;
/** An undelivered callback; it can be replayed while the key of its URL lives. */
export type CallbackGivenUp = Shape<typeof DELIVERY_EVENT_SCHEMAS.CallbackGivenUp>;
/** Nothing more is sent to the destination without a replay; after the last one the request's key may go (decision 4). */
export type DestinationSettled = Shape<typeof DELIVERY_EVENT_SCHEMAS.DestinationSettled>;
export type DeliveryEvent = CallbackQueued | CallbackAttempted | CallbackGivenUp | DestinationSettled;
