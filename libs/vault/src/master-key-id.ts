import { createHmac, type KeyObject } from 'node:crypto';

/** Names a master key without revealing it, so that a sealed value can say which key it needs. */
export const masterKeyId = (masterKey: KeyObject): string =>
  createHmac('sha256', masterKey).update('master-key-id').digest('base64url').slice(0, 16);
