import { createHash } from 'node:crypto';

/** A strong entity tag of these bytes (RFC 9110, 8.8.3). */
export const entityTag = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url')}"`;

/** The opaque part of each tag of a list; `W/` before it is ignored, as the weak comparison does. */
const TAGS = /(?:^|,)[\t ]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/g;

/** Whether the header If-None-Match names this tag (RFC 9110, 13.1.2), so that a read is answered with 304. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(TAGS)].some(([, named]) => named === tag);
}
