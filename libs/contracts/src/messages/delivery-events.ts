import { message, text, time, uuid, type Shape } from './schema';

/** Why nothing is sent to a URL any more: all was taken, the receiver is gone (410), retries are used up, or the key of the URL is destroyed. */
export const LANE_OUTCOMES = ['delivered', 'gone', 'exhausted', 'key-destroyed'] as const;

/** What the callback-dispatcher says on `dsr.delivery-events.v1`. `lane` is the keyed hash of the URL, as in the admission's `callbacks`. */
export const DELIVERY_EVENT_SCHEMAS = {
  LaneSettled: message('LaneSettled', { id: uuid, ws: text, srid: uuid, at: time, lane: text, outcome: { type: 'string', enum: LANE_OUTCOMES } }, ['id', 'ws', 'srid', 'at', 'lane', 'outcome']),
} as const;

/** Nothing will be sent on this lane any more: with the last lane of an ended request, its key may go (D4). */
export type LaneSettled = Shape<typeof DELIVERY_EVENT_SCHEMAS.LaneSettled>;
export type DeliveryEvent = LaneSettled;
