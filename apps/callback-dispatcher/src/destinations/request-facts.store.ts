import { requestKey } from '@opendsr-service/contracts';
import { idPrefixRange } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { Destination } from './destination';
import { DestinationsCollection } from './destinations-collection.store';

/** What the dispatcher knows of a request, for operators' tools; without URLs. */
export async function factsOf(connection: Connection, ws: string, srid: string) {
  const destinations = await new DestinationsCollection(connection).documents
    .find({ _id: idPrefixRange(requestKey(ws, srid)), ws })
    .toArray();
  return destinations.length === 0 ? undefined : { destinations: destinations.map(destinationFacts) };
}

const destinationFacts = ({
  destination,
  v,
  pending,
  past = [],
  attempts,
  dueAt,
  token,
  tries,
  failingSince,
  postponed,
  goneAt,
  outcome,
  outbox = [],
  outboxAt,
}: Destination) => ({
  ...{ destination, v, dueAt, tries, failingSince, postponed, goneAt, outcome, attempts, outboxAt },
  isBeingSent: token !== undefined,
  pending: pending.map(({ v: version, status, at, replay }) => ({
    version,
    status,
    at,
    isReplay: replay !== undefined,
  })),
  past: past.map(({ v: version, status, reason, endedAt }) => ({ version, status, reason, endedAt })),
  outbox: outbox.length,
});
