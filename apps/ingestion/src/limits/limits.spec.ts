import { createHmac } from 'node:crypto';
import type { Environment } from '@opendsr-service/config';
import { BASIC, NO_HEADER, Service, textOf, WRONG } from '../testing/service';
import { World } from '../testing/world';

let world: World;
let service: Service;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  await service.stop();
  await world.close();
});

const start = async (environment: Environment) => void (service = await Service.start(world, environment));
const BODY = { user_identities: { email: 'limited@example.com' } };
const NOW = '2026-11-21T09:00:00Z';
const signed = (secret: string, date = NOW) => ({
  'x-mp-key': 'key',
  date,
  'x-mp-signature': createHmac('sha256', secret)
    .update(`POST\n${date}\n/v1/identify${textOf(BODY)}`)
    .digest('hex'),
});
const identify = (credentials: Parameters<Service['post']>[2] = BASIC) =>
  service.post('/v1/identify', BODY, credentials);
const statuses = async (count: number, call: () => Promise<Response>): Promise<number[]> => {
  const seen: number[] = [];
  for (let n = 0; n < count; n++) seen.push((await call()).status);
  return seen;
};

it('counts all calls of a workspace, and refuses more in the error body of ingestion until the stated time', async () => {
  await start({ RATE_LIMIT_INGEST_CALLS_PER_MINUTE: '3', INGEST_KEY_ONLY: 'true' });
  const passed = [await identify(), await identify(signed('secret')), await identify({ 'x-mp-key': 'key' })];
  expect(passed.map(({ status }) => status)).toEqual([200, 200, 200]);
  const later = signed('secret', '2026-11-21T09:00:01Z');
  for (const credentials of [BASIC, later, { 'x-mp-key': 'key' }]) {
    const refused = await identify(credentials);
    expect([
      refused.status,
      refused.headers.get('retry-after'),
      refused.headers.get('access-control-expose-headers'),
    ]).toEqual([429, '20', 'retry-after']);
    expect(await refused.json()).toEqual({ errors: [{ code: 'TOO_MANY_REQUESTS', message: 'Too many requests.' }] });
  }
  expect(await service.metrics()).toContain('opendsr_rate_limited_total{budget="ingest_calls"} 3');
  const measured =
    'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/v1/identify",http_response_status_code';
  // A signed call is unauthenticated before its body is read.
  for (const rest of ['="200",workspace_class="sandbox"} 3', '="429",workspace_class="sandbox"} 3'])
    expect(await service.metrics()).toContain(measured + rest);
  world.parts.clock.advance(20_000);
  // A call that was refused with 429 may repeat its signature.
  expect([(await identify(later)).status, (await identify()).status]).toEqual([200, 429]);
});

it('refuses after the credentials and before the body, and takes no token of an unauthenticated call', async () => {
  await start({ RATE_LIMIT_INGEST_CALLS_PER_MINUTE: '2' });
  expect(await statuses(3, () => identify(WRONG))).toEqual([403, 403, 403]);
  expect(await statuses(3, () => identify(signed('wrong')))).toEqual([403, 403, 403]);
  expect(await statuses(3, () => service.post('/v2/events', 'no json'))).toEqual([400, 400, 429]);
  expect((await identify(WRONG)).status).toBe(403);
});

it('answers failed authentication with 429 above the limit of its source, and still accepts valid credentials', async () => {
  await start({ RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '3' });
  expect([
    (await identify(WRONG)).status,
    (await identify(NO_HEADER)).status,
    (await identify(signed('wrong'))).status,
  ]).toEqual([403, 401, 403]);
  expect([
    (await identify(WRONG)).status,
    (await identify(NO_HEADER)).status,
    (await identify(signed('wrong'))).status,
  ]).toEqual([429, 429, 429]);
  expect((await identify()).status).toBe(200);
});

it('limits its documents by source', async () => {
  await start({ RATE_LIMIT_SOURCE_CALLS_PER_MINUTE: '2' });
  expect(await statuses(3, () => service.call('/openapi/ingestion.json', {}))).toEqual([200, 200, 429]);
});
