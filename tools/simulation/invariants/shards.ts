import type { Invariant } from './violation';

/** By which fields a collection is polled or measured. A sharded cluster sends such queries to all shards (decision 11). */
export const SCATTERED: Readonly<Record<string, readonly string[]>> = {
  'gateway.requests': [
    ...['startAt', 'outboxAt', 'personsAt', 'attestAt', 'keyDueAt', 'outboxSince', 'keyDueSince'],
    ...['status', 'type', 'expectedAt'],
    ...['workspaceClass', 'countedBy', 'atRiskAt', 'dueBy'],
  ],
  'gateway.attestations': ['generation', 'secondAt'],
  'gateway.audit': ['at', 'by', 'action'],
  'request.aggregates': ['outboxAt', 'outboxSince'],
  'callback_dispatcher.destinations': ['dueAt', 'host', 'outboxAt', 'outboxSince', 'undeliveredSince'],
  'callback_dispatcher.hosts': ['at'],
  'results.archives': ['dueAt', 'dueSince', 'sweepAt'],
  'results.erasures': ['dueAt', 'dueSince'],
  'results.erasedSubjects': ['at'],
  'ingestion.erasures': ['dueAt', 'dueSince'],
  'ingestion.sourceRequests': ['at'],
  'ingestion.signatures': ['until'],
  'ingestion.identityLocks': ['until'],
};

/** Collections of few documents, or of one order, which nobody shards; and a rotation, which goes through all data keys. */
const UNSHARDED = /^keys\.linkKeys by|^keys\.dataKeys by (nothing|_id)$|^gateway\.(leaves|tiles) by|\.parked by/;

const isKnown = (query: string): boolean => {
  const [collection = '', fields = ''] = query.split(' by ');
  const known = SCATTERED[collection] ?? [];
  return UNSHARDED.test(query) || fields.split(', ').every((field) => field === '$or' || known.includes(field));
};

export const queriesNameTheirShard: Invariant = {
  name: 'every query and write names its shard, except those that poll',
  check: ({ scattered }) =>
    [...scattered].filter((query) => !isKnown(query)).map((query) => ({ srid: '', what: query })),
};
