import { createHmac, type KeyObject } from 'node:crypto';

/** Turns values into look-up keys that reveal nothing without the workspace's index key (decisions 4 and 9). */
export interface BlindIndex {
  /** HMAC-SHA256, base64url, 43 characters. `of('ab', 'c')` and `of('a', 'bc')` differ. */
  hash(...parts: string[]): string;
}

export function blindIndex(key: KeyObject): BlindIndex {
  return {
    hash: (...parts) => {
      const hmac = createHmac('sha256', key);
      // A length before each part keeps two lists of parts from running into the same bytes.
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part, 'utf8');
      return hmac.digest('base64url');
    },
  };
}
