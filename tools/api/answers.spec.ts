import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deliveryEvents, TOPICS, VERSIONS, type DeliveryEvent, type ProtocolVersion } from '@opendsr-service/contracts';
import * as gateway from '@opendsr-service/gateway/testing';
import * as ingestion from '@opendsr-service/ingestion/testing';
import { repository } from '../e2e/repository';
import { until } from '../receiver/until';
import { representative } from '../testing/form';
import { ApiContract, received } from './testing/contract';
import { routesOf } from './routes';

interface Api {
  readonly document: { readonly paths: Readonly<Record<string, object>> };
  readonly contract: ApiContract;
}

function apiOf(path: string): Api {
  const document = JSON.parse(readFileSync(repository(path), 'utf8')) as Api['document'];
  return { document, contract: new ApiContract(document) };
}

const routesIn = ({ document }: Api): string[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
const publicRoutes = (controllers: gateway.Service['controllers']): string[] =>
  controllers.flatMap(routesOf).filter((route) => !route.includes(' /internal/'));

/** Fails where an answer is not as the document has it; answers its status. */
async function held({ contract }: Api, call: string, answering: Promise<Response>): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const answer = await received(answering);
  expect(contract.faultsOfAnswer(method, path, answer)).toEqual([]);
  return answer.status;
}

describe('the gateway', () => {
  const apis = new Map(VERSIONS.map((version) => [version, apiOf(`apps/gateway/src/openapi/${version.root}.json`)]));
  let world: gateway.World;
  let service: gateway.Service;
  beforeAll(async () => {
    world = await gateway.World.open();
    service = await gateway.Service.start(world);
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
  });

  const sound = (version: ProtocolVersion, more: object = {}) => ({
    ...(version.hasRegulation && { regulation: 'gdpr' }),
    subject_request_id: randomUUID(),
    subject_request_type: 'erasure',
    submitted_time: '2026-11-20',
    subject_identities: [
      { identity_type: 'email', identity_value: `${randomUUID()}@example.com`, identity_format: 'raw' },
    ],
    ...more,
  });

  it('has no public route that is in no document, but those of the transparency log, which a standard describes', () => {
    const log = ['GET /transparency/checkpoint', 'GET /transparency/tile/*'];
    expect([...[...apis.values()].flatMap(routesIn), ...log].sort()).toEqual(publicRoutes(service.controllers).sort());
  });

  describe.each(VERSIONS)('in version $apiVersion', (version) => {
    const api = apis.get(version) as Api;
    const requests = `/${version.root}/${version.requestsRoute}`;
    const call = (method: string, path: string, body?: object) =>
      held(api, `${method} ${path}`, service.call(method, path, { ...(body && { body }) }));

    it('answers as its document says, from the receipt to the cancellation', async () => {
      const body = sound(version, { group_id: `g-${version.root}` });
      const id = body.subject_request_id;
      expect(await call('POST', requests, body)).toBe(201);
      expect(await call('GET', `${requests}/${id}`)).toBe(200);
      const unchanged = service.send('GET', `${requests}/${id}`, { 'if-none-match': '*' });
      expect(await held(api, `GET ${requests}/${id}`, unchanged)).toBe(304);
      expect(await call('GET', `${requests}?group_id=g-${version.root}`)).toBe(200);
      expect(await call('GET', `${requests}?group_id=unknown`)).toBe(200);
      expect(await call('POST', requests, body)).toBe(400);
      expect(await call('POST', requests, { ...body, subject_request_id: randomUUID() })).toBe(409);
      expect(await call('DELETE', `${requests}/${id}`)).toBe(202);
      expect(await call('DELETE', `${requests}/${id}`)).toBe(400);
      expect(await call('GET', `${requests}/${id}`)).toBe(200);
    });

    it('answers as its document says what became of callbacks', async () => {
      const body = sound(version, { status_callback_urls: ['https://a.example.com/callbacks'] });
      const [srid, path] = [body.subject_request_id, `${requests}/${body.subject_request_id}/callbacks`];
      expect(await call('POST', requests, body)).toBe(201);
      expect(await call('GET', path)).toBe(200);
      const [destination = ''] = (await world.store.find('sandbox', srid))?.openDestinations ?? [];
      const [one, other] = [
        gateway.callbackEvents({ ws: 'sandbox', srid, destination }),
        gateway.callbackEvents({ ws: 'sandbox', srid, destination: 'unknown' }),
      ];
      /** Publishes an event and waits until the service shows it. */
      const expectOutcome = async (events: readonly DeliveryEvent[], shown: RegExp) => {
        await world.publisher.publish(
          TOPICS.deliveryEvents.name,
          events.map((event) => deliveryEvents.encode(event)),
        );
        await until('the ledger', async () => shown.test(await (await service.call('GET', path)).text()));
      };
      await expectOutcome(
        [one.queued(0, 15), one.attempted(1, 16, 'unreachable', { nextAt: one.nextAt(30) })],
        /unreachable/,
      );
      expect(await call('GET', `${path}/`)).toBe(200);
      expect(await call('POST', `${path}/${one.delivery}/replay`)).toBe(400);
      await expectOutcome(
        [
          one.attempted(2, 31, 'delivered', { httpStatus: 202, durationMs: 5 }),
          other.attempted(1, 16, 'gone', { httpStatus: 410, durationMs: 5 }),
          other.givenUp(16, 'gone'),
        ],
        /given_up/,
      );
      expect(await call('GET', path)).toBe(200);
      expect(await call('POST', `${path}/${one.delivery}/replay/`)).toBe(202);
      expect(await call('POST', `${path}/${other.delivery}/replay`)).toBe(410);
      expect(await call('POST', `${path}/${randomUUID()}/replay`)).toBe(404);
      expect(await call('GET', `${requests}/${randomUUID()}/callbacks`)).toBe(404);
      expect(await held(api, `GET ${path}`, service.call('GET', path, { anonymous: true }))).toBe(401);
    });

    it('answers as its document says what needs no credentials', async () => {
      expect(await call('GET', `/${version.root}/discovery`)).toBe(200);
      expect(await call('GET', `/${version.root}/certificates/${version.certificateFile}`)).toBe(200);
      expect(await call('GET', `/${version.root}/certificates/other.pem`)).toBe(404);
      expect(await call('GET', `/${version.root}/results/token`)).toBe(410);
    });

    it('refuses as its document says', async () => {
      expect(await call('GET', `${requests}/${randomUUID()}`)).toBe(404);
      expect(await call('GET', requests)).toBe(400);
      const post = (headers: Readonly<Record<string, string>>, body: string) =>
        held(api, `POST ${requests}`, service.send('POST', requests, headers, body));
      const json = { 'content-type': 'application/json' };
      expect(await post({ authorization: 'Basic x' }, '{}')).toBe(401);
      expect(await post({ 'content-type': 'text/plain' }, '{}')).toBe(415);
      expect(await post(json, `"${'x'.repeat(300_000)}"`)).toBe(413);
      expect(await post(json, '{')).toBe(400);
    });

    it('takes the bodies that its document allows, and refuses those that it does not', async () => {
      const own = version.hasRegulation ? 'opendsr.service.com' : 'opengdpr.service.com';
      const identity = sound(version).subject_identities[0];
      const allowed: object[] = [
        { api_version: '' },
        { group_id: '' },
        { api_version: null, group_id: null, extensions: null },
        { extensions: { [own]: { mpids: [1, '-2', '9007199254740993'] } } },
        { unknown: 1 },
        { subject_identities: [], extensions: { [own]: { mpids: [version.hasRegulation ? 3 : 4] } } },
        {
          subject_identities: undefined,
          extensions: { [own]: { mpids: null, identities: [{ identity_type: 'other', identity_value: own }] } },
        },
        ...[
          '2026-324',
          '2026W477',
          '20261120T08',
          '2026-11-20T24:00:00Z',
          '2024-02-29',
          '2016-12-31T23:59:60Z',
          '2026-11-20 08:00+0100',
        ].map((submitted_time) => ({ submitted_time })),
        { submitted_time: '2026-11-20T08:00:00+01:00' },
        { submitted_time: '2026-6-5' },
      ];
      const refused: object[] = [
        ...[
          { subject_request_id: 'x' },
          { subject_request_type: 'x' },
          { submitted_time: 'x' },
          { api_version: '3.0' },
          { group_id: 'g'.repeat(257) },
          { extensions: [] },
          { status_callback_urls: [1] },
        ],
        ...[
          '2026-13-01',
          '2026-04-31',
          '2026-02-30',
          '2026-000',
          '2026-367',
          '2026-W54-1',
          '2026-W01-8',
          '2026-11-20T25',
          '2026-11-20T08:60',
          '2026-11-20T08:00:61',
          '2026-11-20T08+24',
          '1795424400',
          1_795_424_400,
        ].map((submitted_time) => ({ submitted_time })),
        ...[undefined, null, []].map((subject_identities) => ({ subject_identities })),
        ...[{}, { mpids: [] }, { mpids: null, identities: [] }].map((mine) => ({
          subject_identities: undefined,
          extensions: { [own]: mine },
        })),
        ...[
          { subject_identities: undefined, extensions: { 'another.example.com': { mpids: [1] } } },
          { subject_identities: [{ ...identity, identity_value: ' ' }] },
        ],
        ...[
          { subject_identities: [{ ...identity, identity_format: 'sha256' }] },
          { subject_identities: [{ ...identity, identity_type: 'mobile_number' }] },
          { subject_identities: [{ ...identity, identity_value: '' }] },
        ],
        ...[
          { extensions: { [own]: { mpids: ['x'] } } },
          { extensions: { [own]: { identities: [{}] } } },
          ...(version.hasRegulation ? [{ regulation: 'x' }, { regulation: undefined }] : []),
        ],
      ];
      for (const [changes, status] of [
        [allowed, 201],
        [refused, 400],
      ] as const) {
        for (const change of representative(changes)) {
          const body = JSON.parse(JSON.stringify(sound(version, change))) as object;
          expect({
            change,
            isAllowed: api.contract.faultsOfBody('POST', requests, body).length === 0,
            status: await call('POST', requests, body),
          }).toEqual({ change, isAllowed: status === 201, status });
        }
      }
    });
  });

  it('gives the time to wait as its documents say', async () => {
    const limited = await gateway.Service.start(world, { RATE_LIMIT_CALLS_PER_MINUTE: '1' });
    const path = `/v2/requests/${randomUUID()}`;
    const call = () => held(apiOf('apps/gateway/src/openapi/v2.json'), `GET ${path}`, limited.call('GET', path));
    try {
      await call();
      expect(await call()).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});

describe('ingestion', () => {
  const api = apiOf('apps/ingestion/src/openapi/ingestion.json');
  let world: ingestion.World;
  let service: ingestion.Service;
  beforeAll(async () => {
    world = await ingestion.World.open();
    service = await ingestion.Service.start(world);
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
  });

  const call = (path: string, body: unknown, credentials?: string | Readonly<Record<string, string>>) =>
    held(api, `POST ${path}`, service.post(path, body, credentials));
  const user_identities = { customer_id: 'ann', email: 'ann@example.com' };
  const events = [{ event_type: 'custom_event', data: {} }];

  it('has no public route that is not in its document', () => {
    expect(routesIn(api).sort()).toEqual(publicRoutes(service.controllers).sort());
  });

  it('answers as its document says', async () => {
    for (const path of ['/v1/identify', '/v1/login', '/v1/logout/', '/v1/search'])
      expect(await call(path, { user_identities, context: 'c', user_attributes: { a: 1 } })).toBe(200);
    const { mpid } = await service.identity('/v1/identify', { user_identities });
    expect(
      await call(`/v1/${mpid}/modify`, {
        identity_changes: [{ identity_type: 'email', old_value: 'ann@example.com', new_value: 'a@example.com' }],
      }),
    ).toBe(200);
    expect(await call('/v2/events', { user_identities, events })).toBe(202);
    expect(
      await call('/v2/bulkevents', [
        { user_identities, events },
        { mpid, events },
      ]),
    ).toBe(202);
  });

  it('refuses as its document says', async () => {
    expect(await call('/v1/identify', {})).toBe(400);
    expect(await call('/v2/bulkevents', [{ user_identities, events }, {}])).toBe(400);
    expect(await call('/v1/search', { user_identities: { email: 'nobody@example.com' } })).toBe(404);
    expect(
      await call('/v1/1/modify', { identity_changes: [{ identity_type: 'email', new_value: 'a@example.com' }] }),
    ).toBe(404);
    expect(await call('/v2/events', {}, '')).toBe(401);
    expect(await call('/v2/events', {}, 'Basic x')).toBe(403);
    expect(await call('/v2/events', `"${'x'.repeat(200_000)}"`)).toBe(413);
    expect(
      await call('/v2/events', '<x/>', { authorization: 'Basic a2V5OnNlY3JldA==', 'content-type': 'text/xml' }),
    ).toBe(415);
  });

  it('takes the bodies that its document allows, and refuses those that it does not', async () => {
    const allowed: object[] = [
      { ip: '::1', environment: 'staging', timestamp_unixtime_ms: 1 },
      { known_identities: null, ip: null, context: null },
      { client_sdk: {} },
      { user_identities: null, known_identities: { customerid: 'ann' } },
    ];
    const refused: object[] = [
      { ip: 'x' },
      { environment: 'x'.repeat(65) },
      { timestamp_unixtime_ms: 1.5 },
      { user_identities: { email: 1 } },
      { context: 1 },
      { user_attributes: [] },
      ...[undefined, null, {}].map((none) => ({ user_identities: none })),
    ];
    for (const [changes, status] of [
      [allowed, 200],
      [refused, 400],
    ] as const) {
      for (const change of representative(changes)) {
        const body = { user_identities, ...change };
        expect({
          change,
          isAllowed: api.contract.faultsOfBody('POST', '/v1/identify', body).length === 0,
          status: await call('/v1/identify', body),
        }).toEqual({ change, isAllowed: status === 200, status });
      }
    }
  });
});
