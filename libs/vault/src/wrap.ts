import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { decrypt, encrypt } from './cipher';

const KEY_BYTES = 32;

export interface FreshKey {
  readonly key: KeyObject;
  readonly wrapped: string;
}

export function freshKey(wrapper: KeyObject, aad: string): FreshKey {
  const bytes = randomBytes(KEY_BYTES);
  const fresh = { key: createSecretKey(bytes), wrapped: encrypt(wrapper, aad, bytes) };
  bytes.fill(0);
  return fresh;
}

export function unwrap(wrapper: KeyObject, aad: string, wrapped: string): KeyObject | undefined {
  const bytes = decrypt(wrapper, aad, wrapped);
  if (bytes?.length !== KEY_BYTES) return undefined;
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

/** One side of a rewrap: the wrapping key and its additional data. */
interface Wrapper {
  readonly key: KeyObject;
  readonly aad: string;
}

/** The same key under another wrapper; undefined if it does not open. */
export function rewrap(wrapped: string, from: Wrapper, to: Wrapper): string | undefined {
  const bytes = decrypt(from.key, from.aad, wrapped);
  if (bytes?.length !== KEY_BYTES) return undefined;
  const again = encrypt(to.key, to.aad, bytes);
  bytes.fill(0);
  return again;
}
