import { messageId } from './cloud-events';
import { message, text, time, uuid, type Shape } from './schema';

const KEY_SCOPES = ['request', 'subject', 'archive'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Published before a data key is destroyed (decision 4); it holds no personal data. */
export const KEY_TOMBSTONE_SCHEMAS = {
  KeyDestroyed: message(
    'KeyDestroyed',
    { id: uuid, ws: text, kid: text, scope: { type: 'string', enum: KEY_SCOPES }, at: time },
    ['id', 'ws', 'kid', 'scope', 'at'],
  ),
} as const;

export type KeyDestroyed = Shape<typeof KEY_TOMBSTONE_SCHEMAS.KeyDestroyed>;

/** The id of the tombstone of a key, the same however often it is published. */
export const tombstoneId = ({ ws, kid }: Pick<KeyDestroyed, 'ws' | 'kid'>): string => messageId(ws, kid, 'destroyed');
