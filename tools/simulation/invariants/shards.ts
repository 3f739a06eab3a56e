import type { Invariant } from './violation';

/** What a sharded cluster sends to all shards, by collection, and the field of the filter (decision 11). */
export const SCATTERED: Readonly<Record<string, readonly string[]>> = {
  'gateway.requests': ['startAt', 'outboxAt', 'personsAt', 'keyDueAt', 'outboxSince', 'status'],
  'request.aggregates': ['outboxAt', 'outboxSince'],
  'callback_dispatcher.destinations': ['dueAt', 'outboxAt', 'undeliveredSince'],
  'results.archives': ['dueAt', 'sweepAt'],
  'results.erasures': ['dueAt'],
  'results.erasedSubjects': ['at'],
  'ingestion.erasures': ['dueAt'],
  'ingestion.sourceRequests': ['at'],
  'ingestion.signatures': ['until'],
  'ingestion.identityLocks': ['until'],
};

/** Collections of few documents, which nobody shards. */
const UNSHARDED = /^keys\.linkKeys by|\.parked by/;

const isKnown = (query: string): boolean => {
  const [collection = '', fields = ''] = query.split(' by ');
  const known = SCATTERED[collection] ?? [];
  return UNSHARDED.test(query) || fields.split(', ').some((field) => known.includes(field));
};

export const queriesNameTheirShard: Invariant = {
  name: 'every query and write names its shard, except those that poll',
  check: ({ scattered }) =>
    [...scattered].filter((query) => !isKnown(query)).map((query) => ({ srid: '', what: query })),
};
