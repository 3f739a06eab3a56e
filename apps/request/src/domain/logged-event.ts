import { bytesDigest, requestEvents, type EncodedMessage, type RequestEvent } from '@opendsr-service/contracts';

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

/** An event as it stands on the log. */
export const messageOf = (event: RequestEvent): EncodedMessage => encode(event).message;

/** Its `eventDigest`. */
export const digestOf = (event: RequestEvent): string => encode(event).digest;
