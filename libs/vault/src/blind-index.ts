import { createHmac, type KeyObject } from 'node:crypto';

/** Turns values into search keys that reveal nothing without the workspace's index key (decisions 4 and 9). */
export interface BlindIndex {
  /** HMAC-SHA256, base64url, 43 characters. `hash('ab', 'c')` and `hash('a', 'bc')` differ. */
  hash(...parts: string[]): string;
}

export function blindIndex(key: KeyObject): BlindIndex {
  return {
    hash: (...parts) => {
      const hmac = createHmac('sha256', key);
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part, 'utf8');
      return hmac.digest('base64url');
    },
  };
}
