import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { BasicCredentials } from './basic';

/**
 * Keyed hashes of secrets. They are fast, because a generated secret of 256 bits cannot be guessed, and worth nothing to whoever reads the
 * database, because the key lies in the vault.
 */
export class SecretHash {
  private readonly nobody = randomBytes(32);

  constructor(private readonly hashKey: KeyObject) {}

  /** Base64url. The hash of one key is not that of another with the same secret. */
  of(credentials: BasicCredentials): string {
    return this.bytesOf(credentials).toString('base64url');
  }

  /** Without a hash to compare with it does the same work, so that the time does not tell whether a key exists. */
  matches(credentials: BasicCredentials, hash: string | undefined): boolean {
    const expected = hash === undefined ? this.nobody : Buffer.from(hash, 'base64url');
    const given = this.bytesOf(credentials);
    const same = timingSafeEqual(given, expected.length === given.length ? expected : this.nobody);
    return same && hash !== undefined;
  }

  private bytesOf({ key, secret }: BasicCredentials): Buffer {
    // A key holds no colon, so the two parts cannot run into each other.
    return createHmac('sha256', this.hashKey).update(`${key}:${secret}`).digest();
  }
}
