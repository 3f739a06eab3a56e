import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { BasicCredentials } from './basic';

/** Fast keyed hashes: 256-bit secrets cannot be guessed, and the hash key is not in the database. */
export class SecretHash {
  private readonly noHash = randomBytes(32);

  constructor(private readonly hashKey: KeyObject) {}

  /** Base64url. */
  hashOf(credentials: BasicCredentials): string {
    return this.bytesOf(credentials).toString('base64url');
  }

  /** Does the same work without a hash, so the time does not show whether a key exists. */
  matches(credentials: BasicCredentials, hash: string | undefined): boolean {
    const expected = hash === undefined ? this.noHash : Buffer.from(hash, 'base64url');
    const given = this.bytesOf(credentials);
    const same = timingSafeEqual(given, expected.length === given.length ? expected : this.noHash);
    return same && hash !== undefined;
  }

  private bytesOf({ key, secret }: BasicCredentials): Buffer {
    return createHmac('sha256', this.hashKey).update(`${key}:${secret}`).digest();
  }
}
