import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deliveryEvents, TOPICS } from '@opendsr-service/contracts';
import * as gateway from '@opendsr-service/gateway/testing';
import { ParkedStore } from '@opendsr-service/messaging';
import { Sessions } from '@opendsr-service/operator-access';
import type { ServiceAnswers, Upstream } from '@opendsr-service/operator-answers';
import { repository } from '../e2e/repository';
import { until } from '../receiver/until';
import { ApiContract, received } from './testing/contract';
import { routesOf } from './routes';

const ROOT = '/operator/v1';
const document = JSON.parse(readFileSync(repository('apps/gateway/src/openapi/operator.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
const contract = new ApiContract(document);

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples: { readonly some: { readonly value: object } } }>>;
  };
  readonly responses: Readonly<Record<string, object>>;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    ...{ path: path.slice(ROOT.length), method: method.toUpperCase(), described },
    success: Number(Object.keys(described.responses).find((status) => status.startsWith('2')) ?? 0),
  })),
);
type Operation = (typeof operations)[number];

const HOST = {
  ...{ workspace: 'sandbox', host: 'h', state: 'ok' as const, last_delivered_time: null, failing_since: null },
  last_attempt: { time: '2026-11-21T12:00:00.000Z', outcome: 'delivered' as const, http_status: 202 },
  ...{ paused_until: null, waiting: 0, next_attempt_time: null },
};
const QUEUE = {
  ...{ destination: 'd', event_version: 2, next_attempt_time: '2026-11-21T12:15:00.000Z', is_claimed: false },
  ...{ is_postponed: false, failed_attempts: 0, failing_since: null, gone_time: null, outcome: null },
  waiting: [
    { event_version: 2, request_status: 'cancelled' as const, time: '2026-11-21T12:00:00.000Z', is_replay: false },
  ],
  ended: [{ event_version: 1, request_status: 'pending' as const, reason: null, time: '2026-11-21T11:00:00.000Z' }],
  unpublished_events: 0,
};
/** Another process, of which only hosts are asked. */
const dispatcher = {
  process: () => Promise.reject(new Error('away')),
  parked: () => Promise.resolve({ parked: [], next_cursor: null }),
  destinations: () => Promise.resolve({ destinations: [HOST], next_cursor: null }),
  destinationCounts: () => Promise.resolve({ failing: 0, paused: 0 }),
  destination: () => Promise.resolve({ ...HOST, requests: [] }),
  requestState: () => Promise.resolve({ destinations: [QUEUE] }),
} satisfies Partial<ServiceAnswers>;
const beside = [
  { name: 'callback-dispatcher', services: ['callback-dispatcher'], answers: dispatcher as unknown as ServiceAnswers },
] satisfies readonly Upstream[];

/** Routes that succeed in other tests only, with what they answer here: a provider, a participant and a wish are missing. */
const REFUSED: Readonly<Record<string, number>> = {
  ...{ signIn: 404, finishSignIn: 404, useSignInLink: 401 },
  ...{ waiveParticipant: 404, approveReveal: 404 },
};
/** What a change names the tag of, where it is not the request. */
const TAGS_OF: Readonly<Record<string, string>> = {
  replayOperatorCallback: '/requests/{ws}/{srid}/callbacks',
  ...{ redriveOne: '/parked/{service}/{id}', dropParked: '/parked/{service}/{id}' },
  ...{ rotateApiKey: '/workspaces/{ws}/api-keys', revokeApiKey: '/workspaces/{ws}/api-keys' },
};
/**
 * They end what the others are about, in this order. A record that `redriveMany` has marked is handled meanwhile, and can
 * be neither dropped nor redriven: it comes after both.
 */
const LAST = [
  'redriveOne',
  'dropParked',
  'redriveMany',
  'revokeApiKey',
  'cancelOnBehalf',
  'readOperatorAttestation',
  'signOut',
];

describe('the operator’s API of a sandbox', () => {
  let world: gateway.World;
  let service: gateway.Service;
  let session: Record<string, string> = {};
  beforeAll(async () => {
    world = await gateway.World.open();
    service = await gateway.Service.start(world, { OPERATOR_PORT: '0', ACCESS_WAIT_MS: '7d' }, undefined, { beside });
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
  });

  /** Fails where an answer is not as the document has it. */
  async function held(method: string, path: string, headers: Record<string, string> = session, body?: object) {
    const answering = fetch(`${service.operatorUrl}${ROOT}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await received(untilItBegins(answering));
    expect(contract.faultsOfAnswer(method, `${ROOT}${path}`, answer)).toEqual([]);
    return answer;
  }
  const statusOf = async (...call: Parameters<typeof held>) => (await held(...call)).status;

  it('has every route in its document, and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = service.controllers.flatMap(routesOf).filter((route) => route.includes(' /operator/'));
    expect(routes.toSorted()).toEqual(described.toSorted());
  });

  it('answers as its document says, from the link to the sign-out', async () => {
    expect(await statusOf('GET', '/session')).toBe(401);
    expect(await statusOf('GET', '/sign-in')).toBe(404);
    expect(await statusOf('GET', '/sign-in/callback')).toBe(404);
    expect(await statusOf('POST', '/sign-in/link', {}, { token: '' })).toBe(400);
    expect(await statusOf('POST', '/sign-in/link', {}, { token: 'x' })).toBe(401);
    const signedIn = await held('POST', '/sign-in/link', {}, { token: service.linkToken });
    const { csrf_token: token } = JSON.parse(signedIn.body.toString()) as { csrf_token: string };
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    session = { cookie, 'x-csrf-token': token };
    expect(await statusOf('GET', '/session')).toBe(200);
    expect(await statusOf('DELETE', '/session', { cookie })).toBe(403);

    const id = randomUUID();
    const created = await service.call('POST', '/v2/requests', {
      body: {
        ...{ regulation: 'gdpr', subject_request_id: id, subject_request_type: 'access', submitted_time: '2026-11-20' },
        subject_identities: [{ identity_type: 'email', identity_value: 'ann@example.com', identity_format: 'raw' }],
        status_callback_urls: ['https://a.example.com/callbacks'],
      },
    });
    expect(created.status).toBe(201);
    const path = `/requests/sandbox/${id}`;
    for (const read of ['/requests', '/requests?order=due&limit=1', '/request-counts', path, `${path}/callbacks`])
      expect(await statusOf('GET', read)).toBe(200);
    expect(await statusOf('GET', '/requests?limit=0')).toBe(400);
    expect(await statusOf('GET', `/requests/sandbox/${randomUUID()}`)).toBe(404);

    const body = { reason: 'The controller asked for it.' };
    expect(await statusOf('POST', `${path}/cancellation`, session, body)).toBe(428);
    expect(await statusOf('POST', `${path}/cancellation`, { ...session, 'if-match': '"x"' }, body)).toBe(412);
    const tag = (await held('GET', path)).headers.get('etag') ?? '';
    expect(await statusOf('POST', `${path}/cancellation`, { ...session, 'if-match': tag }, {})).toBe(400);
    expect(await statusOf('POST', `${path}/cancellation`, { ...session, 'if-match': tag }, body)).toBe(200);
    const after = { ...session, 'if-match': (await held('GET', path)).headers.get('etag') ?? '' };
    expect(await statusOf('POST', `${path}/cancellation`, after, body)).toBe(409);
    expect(await statusOf('POST', `${path}/extension`, after, body)).toBe(409);
    expect(await statusOf('POST', `${path}/participants/crm/waiver`, after, body)).toBe(404);
    expect(await statusOf('POST', `${path}/callbacks/${randomUUID()}/replay`, session, body)).toBe(428);
    expect(await statusOf('DELETE', '/sessions')).toBe(204);
    expect(await statusOf('GET', '/session')).toBe(401);
  });

  /** A session as a browser has it after its sign-in. */
  async function signedIn(): Promise<Record<string, string>> {
    const limits = { idleMs: 3_600_000, longestMs: 3_600_000 };
    const sessions = new Sessions(world.parts.connection, limits, () => world.clock.now().getTime());
    const begun = await sessions.begin({ subject: 'ann', grants: [{ role: 'admin' }] });
    return { cookie: `__Host-opendsr-operator=${begun.secret}`, 'x-csrf-token': begun.session.csrfToken };
  }

  /** A request with a callback that was delivered. */
  async function requestWithCallback(): Promise<{ readonly srid: string; readonly delivery: string }> {
    const srid = randomUUID();
    const created = await service.call('POST', '/v2/requests', {
      body: {
        ...{ regulation: 'gdpr', subject_request_id: srid, subject_request_type: 'access' },
        submitted_time: world.clock.now().toISOString(),
        subject_identities: [{ identity_type: 'email', identity_value: `${srid}@example.com`, identity_format: 'raw' }],
        status_callback_urls: ['https://a.example.com/callbacks'],
      },
    });
    expect(created.status).toBe(201);
    const [destination = ''] = (await world.store.find('sandbox', srid))?.openDestinations ?? [];
    const told = gateway.callbackEvents({ ws: 'sandbox', srid, destination });
    await world.publisher.publish(
      TOPICS.deliveryEvents.name,
      [told.queued(0, 15), told.attempted(1, 16, 'delivered', { httpStatus: 202, durationMs: 5 })].map((event) =>
        deliveryEvents.encode(event),
      ),
    );
    // The request service has recorded it.
    await world.store.acknowledge({ ws: 'sandbox', srid, v: 1, commandSeq: 1 });
    await until('the ledger', async () => (await world.ledger.listByRequest('sandbox', srid)).length > 0);
    return { srid, delivery: told.delivery };
  }

  it('answers on every route of its document as that says, with its own example', async () => {
    session = await signedIn();
    const { srid, delivery } = await requestWithCallback();
    const [topic, parked] = [TOPICS.requestEvents.name, new ParkedStore(world.parts.connection)];
    for (const offset of ['901', '902'])
      await parked.park(
        'gateway',
        {
          ...{ topic, partition: 1, offset, key: `sandbox:${randomUUID()}`, timestampMs: 7 },
          ...{ value: Buffer.from('{'), headers: {} },
        },
        'not-json',
      );
    const key = JSON.parse(
      (await held('POST', '/workspaces/sandbox/api-keys', session, { reason: 'x', scopes: ['dsr'] })).body.toString(),
    ) as { key: string };
    const values: Readonly<Record<string, string>> = {
      ...{ ws: 'sandbox', srid, delivery, name: 'crm', service: 'gateway', host: 'h', key: key.key },
      id: `gateway~${topic}~1~901`,
    };
    const called = async ({ path, method, described: { operationId, parameters = [], requestBody } }: Operation) => {
      if (operationId === 'readOperatorAttestation') {
        await gateway.publishCancellation(world, { ws: 'sandbox', srid });
        await until(
          'the attestation',
          async () => (await statusOf('GET', `/requests/sandbox/${srid}/attestation`)) === 200,
        );
      }
      const of = operationId === 'dropParked' ? { ...values, id: `gateway~${topic}~1~902` } : values;
      const filled = withValues(path, of);
      const needsTag = parameters.some(({ name }) => name === 'If-Match');
      const read = TAGS_OF[operationId] ?? '/requests/{ws}/{srid}';
      const body = requestBody?.content['application/json']?.examples.some.value;
      const tag = needsTag ? (await held('GET', withValues(read, of))).headers.get('etag') : null;
      const headers = { ...session, ...(tag !== null && { 'if-match': tag }) };
      const { status } = await held(method, filled, headers, body);
      if (operationId === 'signOutEverywhere') session = await signedIn();
      return [operationId, status] as const;
    };
    const turn = ({ described: { operationId } }: Operation) => LAST.indexOf(operationId);
    const statuses: (readonly [string, number])[] = [];
    for (const operation of operations.toSorted((a, b) => turn(a) - turn(b))) statuses.push(await called(operation));
    const expected = operations.map(({ described, success }) => [
      described.operationId,
      REFUSED[described.operationId] ?? success,
    ]);
    expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(expected));
  });
});

const withValues = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');

/** Streams of changes have no end: their beginning is their answer. */
async function untilItBegins(answering: Promise<Response>): Promise<Response> {
  const answer = await answering;
  if (answer.headers.get('content-type') !== 'text/event-stream') return answer;
  await answer.body?.cancel();
  return new Response('', { status: answer.status, headers: answer.headers });
}
