import 'reflect-metadata';
import { representative } from '@opendsr-service/storage/testing';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { until } from '@opendsr-service/messaging/testing';
import type { Environment } from '@opendsr-service/config';
import { Service } from '../../testing/service';
import { World } from '../../testing/world';

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
const REQUESTS = '/v2/requests';
const body = (more: object = {}) => ({
  regulation: 'gdpr',
  subject_request_id: randomUUID(),
  subject_request_type: 'access',
  submitted_time: '2026-11-20T08:00:00Z',
  subject_identities: [
    { identity_type: 'email', identity_value: `${randomUUID()}@example.com`, identity_format: 'raw' },
  ],
  ...more,
});
const create = (more?: object) => service.call('POST', REQUESTS, { body: body(more) });
const statuses = async (count: number, call: () => Promise<Response>): Promise<number[]> => {
  const seen: number[] = [];
  for (let n = 0; n < count; n++) seen.push((await call()).status);
  return seen;
};
const anonymous = (path: string) => () => service.call('GET', path, { anonymous: true });
const waitOf = (answer: Response): number => Number(answer.headers.get('retry-after'));

describe('calls of a workspace', () => {
  beforeEach(() => start({ RATE_LIMIT_CALLS_PER_MINUTE: '6' }));

  it('count together over routes and versions, and are answered 429 until the time in Retry-After', async () => {
    const id = randomUUID();
    const passed = [
      await create(),
      await service.call('GET', `${REQUESTS}/${id}`),
      await service.call('DELETE', `${REQUESTS}/${id}`),
      await service.call('GET', `/v1/opengdpr_requests/${id}`),
      await service.call('GET', REQUESTS),
      await create(),
    ];
    expect(passed.map(({ status }) => status)).toEqual([201, 404, 404, 404, 400, 201]);
    const refused = await create();
    expect([refused.status, waitOf(refused), refused.headers.get('content-type')]).toEqual([
      429,
      10,
      'application/json; charset=utf-8',
    ]);
    expect(await refused.json()).toEqual({
      code: 429,
      message: 'Too many requests.',
      errors: [{ domain: 'Limits', reason: 'TooManyRequestsException', message: 'Too many requests.' }],
    });
    world.clock.advance(10_000);
    expect(await statuses(2, create)).toEqual([201, 429]);
  });

  it('are refused after the check of credentials and before any check of the body', async () => {
    await statuses(6, create);
    const wrongType = () => service.send('POST', REQUESTS, { 'content-type': 'text/plain' }, 'x');
    const tooLarge = () =>
      service.send('POST', REQUESTS, { 'content-type': 'application/json' }, `"${'x'.repeat(300_000)}"`);
    const noJson = () => service.send('POST', REQUESTS, { 'content-type': 'application/json' }, '{');
    for (const call of [wrongType, tooLarge, noJson]) expect((await call()).status).toBe(429);
    expect((await service.call('POST', REQUESTS, { body: body(), anonymous: true })).status).toBe(401);
  });

  it('do not include calls without credentials, to discovery or to metrics', async () => {
    expect((await statuses(8, anonymous(REQUESTS))).every((status) => status === 401)).toBe(true);
    expect(await statuses(6, create)).toEqual([201, 201, 201, 201, 201, 201]);
    expect(await statuses(8, anonymous('/v2/discovery'))).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await service.metrics()).toContain('opendsr_rate_limited_total{budget="calls"} 0');
    await create();
    expect(await service.metrics()).toContain('opendsr_rate_limited_total{budget="calls"} 1');
  });
});

describe('new requests of a day', () => {
  beforeEach(() => start({ RATE_LIMIT_CREATES_PER_DAY: '3' }));

  it('are counted only when they are answered 201, and not when they are refused', async () => {
    const invalid = await statuses(4, () => create({ regulation: 'none' }));
    const wrongType = await statuses(4, () => service.send('POST', REQUESTS, { 'content-type': 'text/plain' }, 'x'));
    expect([...invalid, ...wrongType]).toEqual([400, 400, 400, 400, 415, 415, 415, 415]);
    const id = randomUUID();
    expect((await create({ subject_request_id: id })).status).toBe(201);
    expect(await statuses(4, () => create({ subject_request_id: id }))).toEqual([400, 400, 400, 400]);
    expect(await statuses(2, create)).toEqual([201, 201]);
    const refused = await create({ regulation: 'none' });
    expect([refused.status, waitOf(refused)]).toEqual([429, 15 * 3_600]);
    expect((await service.call('GET', `${REQUESTS}/${id}`)).status).toBe(200);
    expect((await service.call('DELETE', `${REQUESTS}/${id}`)).status).toBe(202);
    expect((await create()).status).toBe(429);
    world.clock.advance(15 * 3_600_000);
    expect((await create()).status).toBe(201);
  });

  it('are not counted if the caller disconnects in the middle of its body', async () => {
    const taken = async () =>
      (
        await world.parts.connection
          .collection<{ _id: string; taken: number }>('budgets')
          .findOne({ _id: 'sandbox|creates' })
      )?.taken;
    for (let n = 0; n < 4; n++) {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(
        `POST ${REQUESTS} HTTP/1.1\r\nhost: x\r\n${service.credentials}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
      );
      await once(socket, 'connect');
      await until(async () => (await taken()) === 1);
      socket.destroy();
      await until(async () => (await taken()) === 0);
    }
    expect(await statuses(4, create)).toEqual([201, 201, 201, 429]);
  });

  it('never exceed the limit, also if many arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201, 201, 201, 429, 429, 429, 429, 429, 429, 429, 429, 429,
    ]);
  });
});

it.each(
  representative([
    '/v2/discovery',
    '/v1/discovery',
    '/v2/certificates/opendsr.pem',
    '/v2/results/token',
    '/docs',
    '/openapi/v2.json',
  ]),
)('limits %s by source address, without effect on creates with credentials', async (path) => {
  await start({ RATE_LIMIT_SOURCE_CALLS_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.1' });
  await statuses(3, anonymous(path));
  const refused = await anonymous(path)();
  expect([refused.status, waitOf(refused)]).toEqual([429, 20]);
  const forwarded = await service.send('GET', path, { 'x-forwarded-for': '192.0.2.7' });
  expect(forwarded.status).not.toBe(429);
  expect((await create()).status).toBe(201);
});

it('answers failed authentication beyond the limit of a source with 429, and accepts valid credentials', async () => {
  await start({ RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '3' });
  const wrong = () =>
    service.send('GET', REQUESTS, { authorization: `Basic ${Buffer.from('key:wrong').toString('base64')}` });
  expect([...(await statuses(2, wrong)), ...(await statuses(1, anonymous(REQUESTS)))]).toEqual([401, 401, 401]);
  const refused = await wrong();
  expect([refused.status, waitOf(refused)]).toEqual([429, 20]);
  expect((await create()).status).toBe(201);
});
