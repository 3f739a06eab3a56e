import { createHmac, timingSafeEqual, type Hmac } from 'node:crypto';

interface SignedHead {
  readonly method: string;
  readonly date: string;
  readonly path: string;
}

const ZONED = /(?: GMT|Z|[+-]\d\d:?\d\d)$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** The HMAC of a call without its body (protocol, "Credentials"). */
export const hmacOf = (secret: string, { method, date, path }: SignedHead): Hmac =>
  createHmac('sha256', secret).update(`${method}\n${date}\n${path}`);

/** Limits the replay of old calls. Accepts an HTTP date, or an ISO 8601 date with a zone. */
export function isTimely(date: string, now: Date, skewMs: number): boolean {
  const distanceMs = Math.abs(Date.parse(date) - now.getTime());
  return ZONED.test(date) && distanceMs <= skewMs;
}

export const isSignatureForm = (text: string): boolean => SIGNATURE.test(text);

/** Compares in constant time. `given` must have passed `isSignatureForm`. */
export const isSignature = (given: string, hmac: Hmac): boolean =>
  timingSafeEqual(Buffer.from(given, 'hex'), hmac.digest());
