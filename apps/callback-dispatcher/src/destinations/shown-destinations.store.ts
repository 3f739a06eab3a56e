import { requestKey } from '@opendsr-service/contracts';
import { idPrefixRange } from '@opendsr-service/storage';
import { timeOf, type RequestState } from '@opendsr-service/operator-answers';
import type { Connection } from 'mongoose';
import type { Destination } from './destination';
import { DestinationsCollection } from './destinations-collection.store';

/** What the dispatcher knows of a request, for operators' tools; without URLs. */
export async function shownDestinations(connection: Connection, ws: string, srid: string) {
  const destinations = await new DestinationsCollection(connection).documents
    .find({ _id: idPrefixRange(requestKey(ws, srid)), ws })
    .toArray();
  return destinations.length === 0 ? undefined : { destinations: destinations.map(shownDestination) };
}

const shownDestination = ({
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

type Facts = NonNullable<Awaited<ReturnType<typeof shownDestinations>>>['destinations'][number];
type State = RequestState<'callback-dispatcher'>;

/** What the operator's API shows of a request; undefined: it has no callback URL, or this service does not know it. */
export async function destinationsState(connection: Connection, ws: string, srid: string): Promise<State | undefined> {
  const facts = await shownDestinations(connection, ws, srid);
  return facts && { destinations: facts.destinations.map(queueOf) };
}

const queueOf = (facts: Facts): State['destinations'][number] => ({
  destination: facts.destination,
  event_version: facts.v,
  next_attempt_time: timeOf(facts.dueAt),
  is_claimed: facts.isBeingSent,
  is_postponed: facts.postponed === true,
  failed_attempts: facts.tries ?? 0,
  failing_since: timeOf(facts.failingSince),
  gone_time: timeOf(facts.goneAt),
  outcome: facts.outcome ?? null,
  waiting: facts.pending.map(({ version, status, at, isReplay }) => ({
    event_version: version,
    request_status: status,
    time: at,
    is_replay: isReplay,
  })),
  ended: facts.past.map(({ version, status, reason, endedAt }) => ({
    event_version: version,
    request_status: status,
    reason: reason ?? null,
    time: endedAt.toISOString(),
  })),
  unpublished_events: facts.outbox,
});
