import { randomUUID } from 'node:crypto';
import {
  callbackUrlSeal,
  identitiesSeal,
  messageId,
  requestEvents,
  TOPICS,
  type Admission,
  type RequestEvent,
  type RequestStatus,
} from '@opendsr-service/contracts';
import { hostOf } from '@opendsr-service/edge';
import type { BlindIndex, DataKey } from '@opendsr-service/vault';
import type { OwnDispatcher } from './own-dispatcher';

const WS = 'deaths';
const PAGE = 500;

/** The statuses that each receiver of a request gets. */
export const STATUSES: readonly RequestStatus[] = ['pending', 'in_progress', 'completed'];

/** Publishes all events of requests, one request for each list of URLs. */
export async function seedRequests(
  { log, vault }: Pick<OwnDispatcher, 'log' | 'vault'>,
  requests: readonly (readonly string[])[],
): Promise<void> {
  const index = await vault.index(WS);
  const lives = await Promise.all(requests.map(async (urls) => lifeOf(await vault.newKey(WS, 'request'), urls, index)));
  const records = lives.flat().map((event) => requestEvents.encode(event));
  for (let from = 0; from < records.length; from += PAGE)
    await log.publisher.publish(TOPICS.requestEvents.name, records.slice(from, from + PAGE), { deadlineMs: 60_000 });
}

type Happening = RequestEvent extends infer E
  ? E extends RequestEvent
    ? Omit<E, 'id' | 'ws' | 'srid' | 'commandSeq' | 'at'>
    : never
  : never;

function lifeOf(key: DataKey, urls: readonly string[], index: BlindIndex): RequestEvent[] {
  const srid = randomUUID();
  const at = new Date().toISOString();
  const identities = key.seal(identitiesSeal({ ws: WS, srid }), '[]');
  const callbacks = urls.map((url) => {
    const destination = index.hash('callback-url', url);
    return {
      destination,
      url: key.seal(callbackUrlSeal({ ws: WS, srid }, destination), url),
      host: index.hash('callback-host', hostOf(url)),
    };
  });
  const times = { submittedTime: at, receivedAt: at, startAt: at, expectedAt: at };
  const request: Admission = {
    controllerId: '1402',
    apiVersion: '2.0',
    type: 'access',
    ...times,
    groupId: null,
    fingerprint: 'f',
    kid: key.kid,
    identities,
    callbacks,
  };
  const happenings: Happening[] = [
    { type: 'RequestReceived', version: 1, request },
    { type: 'RequestStarted', version: 2, participants: [], work: { type: 'access', kid: key.kid, identities } },
    { type: 'RequestFulfilled', version: 3 },
    { type: 'RequestCompleted', version: 4 },
  ];
  return happenings.map((happening) => ({
    ...happening,
    ws: WS,
    srid,
    id: messageId(WS, srid, happening.version),
    commandSeq: 1,
    at,
  }));
}
