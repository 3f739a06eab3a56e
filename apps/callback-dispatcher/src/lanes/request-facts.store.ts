import { requestKey } from '@opendsr-service/contracts';
import { idsBelow } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { Lane } from './lane';
import { LanesCollection } from './lanes-collection.store';

/** What the callback-dispatcher knows of a request, for tools: its lanes, without their addresses. Undefined: nothing. */
export async function factsOf(connection: Connection, ws: string, srid: string) {
  // As many as a request has URLs, which are limited.
  const lanes = await new LanesCollection(connection).documents
    .find({ _id: idsBelow(requestKey(ws, srid)), ws })
    .toArray();
  return lanes.length === 0 ? undefined : { lanes: lanes.map(laneFacts) };
}

const laneFacts = ({
  lane,
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
  tellAt,
}: Lane) => ({
  ...{ lane, v, dueAt, tries, failingSince, postponed, goneAt, outcome, attempts, tellAt },
  isBeingSent: token !== undefined,
  pending: pending.map(({ v: version, status, at, replay }) => ({
    version,
    status,
    at,
    isReplay: replay !== undefined,
  })),
  past: past.map(({ v: version, status, reason, endedAt }) => ({ version, status, reason, endedAt })),
  untold: outbox.length,
});
