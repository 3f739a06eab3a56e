import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

const MAC_BYTES = 32;
const MAX_TOKEN_CHARS = 512;

interface LinkClaim {
  readonly ws: string;
  readonly srid: string;
  readonly keyId: string;
}

/** Base64url of `ws:srid:keyId` and an HMAC-SHA256 over it. */
export function makeToken(claim: LinkClaim, key: KeyObject): string {
  const parts = [claim.ws, claim.srid, claim.keyId];
  if (parts.some((part) => part === '' || part.includes(':')))
    throw new TypeError('a part of a results link may not be empty or contain :');
  const payload = Buffer.from(parts.join(':'));
  return Buffer.concat([payload, macOf(payload, key)]).toString('base64url');
}

/** Reads a token without checking its HMAC. Undefined for malformed tokens. */
export function readClaim(token: string): LinkClaim | undefined {
  if (token.length > MAX_TOKEN_CHARS) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Node's decoder skips foreign characters. Only the canonical spelling is valid.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
  const [ws, srid, keyId, ...rest] = bytes.subarray(0, -MAC_BYTES).toString('utf8').split(':');
  return ws && srid && keyId && rest.length === 0 ? { ws, srid, keyId } : undefined;
}

/** Compares in constant time. The token must have passed `readClaim`. */
export function isMadeBy(key: KeyObject, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  return timingSafeEqual(macOf(bytes.subarray(0, -MAC_BYTES), key), bytes.subarray(-MAC_BYTES));
}

function macOf(payload: Buffer, key: KeyObject): Buffer {
  return createHmac('sha256', key).update('dsr-results-link:').update(payload).digest();
}
