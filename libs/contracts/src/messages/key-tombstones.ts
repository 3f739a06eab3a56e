import { message, text, time, uuid, type Shape } from './schema';

/** What a data key is for: the services that own each kind destroy their own. */
export const KEY_SCOPES = ['request', 'subject', 'archive'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * What owners of data keys say on `dsr.key-tombstones.v1` before they delete one (decision 4). It holds nothing of a person.
 */
export const KEY_TOMBSTONE_SCHEMAS = {
  KeyDestroyed: message(
    'KeyDestroyed',
    { id: uuid, ws: text, kid: text, scope: { type: 'string', enum: KEY_SCOPES }, at: time },
    ['id', 'ws', 'kid', 'scope', 'at'],
  ),
} as const;

export type KeyDestroyed = Shape<typeof KEY_TOMBSTONE_SCHEMAS.KeyDestroyed>;
