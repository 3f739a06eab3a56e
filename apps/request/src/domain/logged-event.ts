import { createHash } from 'node:crypto';
import { requestEvents, type EncodedMessage, type RequestEvent } from '@opendsr-service/contracts';

interface Encoded {
  readonly message: EncodedMessage;
  readonly digest: string;
}

/** An event is encoded once, for its digest and for the log. */
const encoded = new WeakMap<RequestEvent, Encoded>();

function encode(event: RequestEvent): Encoded {
  const known = encoded.get(event);
  if (known) return known;
  const message = requestEvents.encode(event);
  const made = { message, digest: bytesDigest(message.value) };
  encoded.set(event, made);
  return made;
}

/** SHA-256, base64url. */
export const bytesDigest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');

/** An event as it stands on the log. */
export const messageOf = (event: RequestEvent): EncodedMessage => encode(event).message;

/** SHA-256 of the bytes of an event on the log, base64url. */
export const eventDigest = (event: RequestEvent): string => encode(event).digest;
