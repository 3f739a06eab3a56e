import { message, sealed, text, time, uuid, type Shape } from './schema';

/** The content is sealed under the data subject's key before it reaches the log (decision 4). */
const head = { id: uuid, ws: text, mpid: { type: 'string', pattern: '^-?[0-9]{1,19}$' }, at: time, kid: text } as const;
const always = ['id', 'ws', 'mpid', 'at', 'kid'] as const;

export const PROFILE_SCHEMAS = {
  AttributesReceived: message('AttributesReceived', { ...head, attributes: sealed }, [...always, 'attributes']),
} as const;
export const BATCH_SCHEMAS = {
  /** `sourceRequest`: keyed hash of `source_request_id`; a repeat is ignored for 30 days. */
  BatchReceived: message('BatchReceived', { ...head, batch: sealed, sourceRequest: text }, [...always, 'batch']),
} as const;

export type AttributesReceived = Shape<typeof PROFILE_SCHEMAS.AttributesReceived>;
export type BatchReceived = Shape<typeof BATCH_SCHEMAS.BatchReceived>;
