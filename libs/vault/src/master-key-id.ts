import { createHmac, type KeyObject } from 'node:crypto';

/** Names a master key without telling anything of it, so that what it sealed can say which one is needed. */
export const masterKeyId = (masterKey: KeyObject): string =>
  createHmac('sha256', masterKey).update('master-key-id').digest('base64url').slice(0, 16);
