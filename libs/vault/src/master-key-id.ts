import { createHmac, type KeyObject } from 'node:crypto';

/** Identifies a master key without revealing it. */
export const masterKeyId = (masterKey: KeyObject): string =>
  createHmac('sha256', masterKey).update('master-key-id').digest('base64url').slice(0, 16);
