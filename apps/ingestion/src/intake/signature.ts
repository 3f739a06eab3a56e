import { createHmac, timingSafeEqual, type Hmac } from 'node:crypto';

/** What a signature covers besides the body. `path` begins with a slash and has no query. */
export interface SignedHead {
  readonly method: string;
  readonly date: string;
  readonly path: string;
}

const ZONED = /(?: GMT|Z|[+-]\d\d:?\d\d)$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** The HMAC of a call, to which the bytes of its body are still to be added (protocol, "Credentials"). */
export const hmacOf = (secret: string, { method, date, path }: SignedHead): Hmac =>
  createHmac('sha256', secret).update(`${method}\n${date}\n${path}`);

/** Whether a `Date`, an HTTP date or an ISO 8601 one with its zone, is near enough to now: an old call must not be sent again. */
export function isTimely(date: string, now: Date, skewMs: number): boolean {
  const distanceMs = Math.abs(Date.parse(date) - now.getTime());
  return ZONED.test(date) && distanceMs <= skewMs;
}

/** Whether text could be a signature at all: hexadecimal digits in lower case. */
export const isSignatureForm = (text: string): boolean => SIGNATURE.test(text);

/** Compares in constant time; `given` must have the form of a signature. */
export const isSignature = (given: string, hmac: Hmac): boolean =>
  timingSafeEqual(Buffer.from(given, 'hex'), hmac.digest());
