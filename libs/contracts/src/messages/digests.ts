import { createHash } from 'node:crypto';
import { requestEvents } from './codecs';
import type { RequestEvent } from './request-events';

/** SHA-256, base64url. */
export const bytesDigest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');

/**
 * Digest of an event's bytes on the log, which the next event holds as `previous`: that of the last one binds the whole
 * history of a request.
 */
export const eventDigest = (event: RequestEvent): string => bytesDigest(requestEvents.encode(event).value);
