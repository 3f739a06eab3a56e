import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { BASIC, NO_HEADER, Service, textOf, WRONG } from '../testing/service';
import { World } from '../testing/world';
import { SignaturesStore } from './signatures.store';

let world: World;
let service: Service;
let open: Service;
beforeAll(async () => {
  world = await World.open();
  service = await Service.start(world, { RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' });
  open = await Service.start(world, { INGEST_KEY_ONLY: 'true', INGEST_SIGNATURE_SKEW_MS: '1min' });
  await Service.addKey(world, { key: 'dsr-alone', secret: 'secret', scopes: ['dsr'] });
});
afterAll(async () => {
  await service.stop();
  await open.stop();
  await world.close();
});

const PATHS = [
  '/v1/identify',
  '/v1/login',
  '/v1/logout',
  '/v1/search',
  '/v1/-1/modify',
  '/v2/events',
  '/v2/bulkevents',
];
const BODY = { user_identities: { email: 'signed@example.com' } };
const NOW = '2026-11-21T09:00:00Z';

const signed = ({ path = '/v1/identify', date = NOW, secret = 'secret', body = BODY as unknown, key = 'key' }) => ({
  'x-mp-key': key,
  date,
  'x-mp-signature': createHmac('sha256', secret)
    .update(`POST\n${date}\n${path}${textOf(body)}`)
    .digest('hex'),
});
const statusOf = async (headers: Readonly<Record<string, string>>, path = '/v1/identify', body: unknown = BODY) =>
  (await service.post(path, body, headers)).status;

/** The status of a signed call over a kept-alive connection. */
const statusOver = (agent: Agent, type: string, body: string, signedBody = body): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { ...signed({ body: signedBody }), 'content-type': type, 'content-length': body.length };
    const sent = request(`${service.url}/v1/identify`, { agent, method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => {
        resolve(answer.statusCode);
      });
    });
    sent.once('error', reject).end(body);
  });

describe('credentials', () => {
  it.each(PATHS)('are checked before the body of %s: 401 if they are missing, 403 if they are wrong', async (path) => {
    const missing = await service.post(path, 'no json', NO_HEADER);
    const wrong = await service.post(path, 'no json', WRONG);
    const strange = await service.post(path, 'no json', 'Bearer x');
    const right = await service.post(path, 'no json', BASIC);
    expect([missing, wrong, strange, right].map(({ status }) => status)).toEqual([401, 403, 403, 400]);
    expect(await missing.json()).toMatchObject({ errors: [{ code: 'UNAUTHORIZED' }] });
    expect(await wrong.json()).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] });
    expect(await right.json()).toMatchObject({ errors: [{ code: 'BAD_REQUEST' }] });
  });

  it('must have the scope ingest, in any form', async () => {
    expect(
      (await service.post('/v1/identify', BODY, `Basic ${Buffer.from('dsr-alone:secret').toString('base64')}`)).status,
    ).toBe(403);
    expect(await statusOf(signed({ key: 'dsr-alone' }))).toBe(403);
    expect((await open.post('/v1/identify', BODY, { 'x-mp-key': 'dsr-alone' })).status).toBe(403);
  });
});

describe('a signature', () => {
  it.each([
    ['over method, date, path and body', signed({}), 200],
    ['with an HTTP date', signed({ date: 'Sat, 21 Nov 2026 09:14:00 GMT' }), 200],
    ['with another secret', signed({ secret: 'wrong' }), 403],
    ['of another body', signed({ body: { ...BODY, ip: '10.0.0.1' } }), 403],
    ['of another path', signed({ path: '/v1/login' }), 403],
    ['of another date', { ...signed({}), date: '2026-11-21T09:00:01Z' }, 403],
    ['of long ago', signed({ date: '2026-11-21T08:44:59Z' }), 403],
    ['in capital letters', { ...signed({}), 'x-mp-signature': signed({})['x-mp-signature'].toUpperCase() }, 403],
    ['cut off', { ...signed({}), 'x-mp-signature': signed({})['x-mp-signature'].slice(2) }, 403],
    ['of a key that nobody has', signed({ key: 'nobody' }), 403],
    ['without its key', { date: NOW, 'x-mp-signature': signed({})['x-mp-signature'] }, 401],
    ['without its date', { 'x-mp-key': 'key', 'x-mp-signature': signed({})['x-mp-signature'] }, 401],
  ])('%s: %#', async (_, headers, status) => {
    expect(await statusOf(headers)).toBe(status);
  });

  it('does not cover the query of the path', async () => {
    expect(await statusOf(signed({ date: '2026-11-21T09:00:02Z' }), '/v1/identify?x=1')).toBe(200);
  });

  it('does not cover the host of a whole address in the request line', async () => {
    const head = Object.entries({
      ...signed({ date: '2026-11-21T09:00:07Z' }),
      host: 'dsr.example.com',
      connection: 'close',
      'content-type': 'application/json',
      'content-length': String(textOf(BODY).length),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(`POST http://dsr.example.com/v1/identify?x=1 HTTP/1.1\r\n${head.join('')}\r\n${textOf(BODY)}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is checked before the content of the body, and covers each of its bytes', async () => {
    expect(await statusOf(signed({ body: 'no json' }), '/v1/identify', 'no json')).toBe(400);
    expect(await statusOf(signed({ body: 'no json' }), '/v1/identify', 'no JSON')).toBe(403);
    const long = `[${Array.from({ length: 60 }, () => textOf({ ...BODY, events: [], padding: '漢'.repeat(1_000) })).join(',')}]`;
    expect(await statusOf(signed({ path: '/v2/bulkevents', body: long }), '/v2/bulkevents', long)).toBe(202);
    expect(await statusOf(signed({ path: '/v2/bulkevents', body: long }), '/v2/bulkevents', `${long} `)).toBe(403);
  });

  it('keeps its connection usable if the body is refused unread', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const large = 'x'.repeat(3_000_000);
    expect(await statusOver(agent, 'text/plain', large)).toBe(415);
    expect(await statusOver(agent, 'text/plain', large, 'something else')).toBe(415);
    expect(await statusOver(agent, 'application/json', textOf({ ...BODY, context: 'after' }))).toBe(200);
    agent.destroy();
  });

  it('keeps its connection if the whole body does not match', async () => {
    const body = textOf({ ...BODY, context: 'other' });
    const answer = await service.post('/v1/identify', body, signed({ body: `${body} ` }));
    expect([answer.status, answer.headers.get('connection')]).toEqual([403, 'keep-alive']);
  });

  it.each(PATHS)('covers the empty body of a call to %s without a body', async (path) => {
    const statusWithout = async (headers: Readonly<Record<string, string>>) =>
      (await service.call(path, { method: 'POST', headers })).status;
    const right = signed({ path, body: '' });
    expect([
      await statusWithout(signed({ path, body: 'x' })),
      await statusWithout(signed({ path, body: '', secret: 'wrong' })),
      await statusWithout(signed({ path, body: '', key: 'nobody' })),
      await statusWithout(right),
      await statusWithout(right),
    ]).toEqual([403, 403, 403, 400, 403]);
  });

  it('admits one call over all processes; a repeat with a new signature is accepted', async () => {
    const batch = { ...BODY, events: [], source_request_id: 'nightly' };
    const send = async (to: Service, date: string) =>
      (await to.post('/v2/events', batch, signed({ path: '/v2/events', body: batch, date }))).status;
    expect([
      await send(service, '2026-11-21T09:00:03Z'),
      await send(service, '2026-11-21T09:00:03Z'),
      await send(open, '2026-11-21T09:00:03Z'),
    ]).toEqual([202, 403, 403]);
    const racing = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(n % 2 === 0 ? service : open, '2026-11-21T09:00:04Z')),
    );
    expect(racing.sort()).toEqual([202, ...Array.from({ length: 9 }, () => 403)]);
  });

  it('may be repeated if the call was not taken', async () => {
    const batch = { ...BODY, events: [] };
    const send = async () =>
      (
        await service.post(
          '/v2/events',
          batch,
          signed({ path: '/v2/events', body: batch, date: '2026-11-21T09:00:05Z' }),
        )
      ).status;
    world.publisher.away = true;
    expect(await send()).toBe(503);
    world.publisher.away = false;
    expect([await send(), await send()]).toEqual([202, 403]);
  });

  it('delays no answer if the store does not free it', async () => {
    const [batch, freed] = [
      { ...BODY, events: [] },
      jest.spyOn(SignaturesStore.prototype, 'free').mockReturnValueOnce(new Promise(() => undefined)),
    ];
    world.publisher.away = true;
    expect(
      await statusOf(signed({ path: '/v2/events', body: batch, date: '2026-11-21T09:00:06Z' }), '/v2/events', batch),
    ).toBe(503);
    world.publisher.away = false;
    expect(freed).toHaveBeenCalledTimes(1);
    freed.mockRestore();
  });

  it('admits no call while it cannot be stored', async () => {
    const away = jest
      .spyOn(SignaturesStore.prototype, 'use')
      .mockRejectedValueOnce(Object.assign(new Error('away'), { name: 'MongoNetworkError' }));
    const body = { user_identities: { email: 'unremembered@example.com' } };
    expect(await statusOf(signed({ body }), '/v1/identify', body)).toBe(503);
    away.mockRestore();
    expect((await service.post('/v1/search', body)).status).toBe(404);
    expect([
      await statusOf(signed({ body }), '/v1/identify', body),
      await statusOf(signed({ body }), '/v1/identify', body),
    ]).toEqual([200, 403]);
  });

  it('is not used by a call that does not match', async () => {
    const body = { ...BODY, context: 'twice' };
    expect(await statusOf(signed({ body }), '/v1/identify', { ...body, ip: '10.0.0.1' })).toBe(403);
    expect(await statusOf(signed({ body }), '/v1/identify', body)).toBe(200);
  });

  it('of an unknown key is refused after the body, like a wrong one', async () => {
    const large = JSON.stringify({ padding: 'x'.repeat(300_000) });
    for (const headers of [signed({ key: 'nobody', body: large }), signed({ secret: 'wrong', body: large })])
      expect(await statusOf(headers, '/v1/identify', large)).toBe(413);
  });

  it('may be as old as the operator configures', async () => {
    const headers = signed({ date: '2026-11-21T08:58:59Z' });
    expect([await statusOf(headers), (await open.post('/v1/identify', BODY, headers)).status]).toEqual([200, 403]);
  });
});

describe('the key alone', () => {
  it('is refused by default, and no preflight is answered', async () => {
    for (const path of PATHS) expect(await statusOf({ 'x-mp-key': 'key' }, path)).toBe(403);
    const preflight = await service.call('/v1/identify', {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null]);
    expect((await service.post('/v1/identify', BODY)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is sufficient if the operator allows it and the key is known', async () => {
    expect((await open.post('/v1/identify', BODY, { 'x-mp-key': 'key' })).status).toBe(200);
    expect((await open.post('/v1/identify', BODY, { 'x-mp-key': 'nobody' })).status).toBe(403);
    expect((await open.post('/v1/identify', BODY, { 'x-mp-key': 'k'.repeat(300) })).status).toBe(403);
  });

  it('admits all calls but search, and changes no verified profile', async () => {
    const { mpid } = await open.identity('/v1/identify', { user_identities: { email: 'theirs@example.com' } });
    const theirs = { user_identities: { email: 'theirs@example.com' } };
    const changes = {
      identity_changes: [{ identity_type: 'email', old_value: 'theirs@example.com', new_value: 'mine@example.com' }],
    };
    const key = { 'x-mp-key': 'key' };
    const paths = {
      '/v1/identify': theirs,
      '/v1/login': theirs,
      '/v1/logout': theirs,
      '/v2/events': { ...theirs, events: [] },
      '/v2/bulkevents': [{ ...theirs, events: [] }],
    };
    for (const [path, body] of Object.entries(paths))
      expect([path, (await open.post(path, body, key)).ok]).toEqual([path, true]);
    for (const path of ['/v1/search', '/v1/search/']) expect((await open.post(path, theirs, key)).status).toBe(403);
    expect((await open.post(`/v1/${mpid}/modify`, changes, key)).status).toBe(404);
    expect((await open.post('/v1/search', theirs)).status).toBe(200);
    expect((await open.post('/v1/search', theirs, signed({ path: '/v1/search', body: theirs }))).status).toBe(200);
    expect((await open.post(`/v1/${mpid}/modify`, changes)).status).toBe(200);
  });
});

describe('CORS, if the key alone is sufficient', () => {
  it.each(PATHS)('answers the preflight of %s without credentials', async (path) => {
    const preflight = await open.call(`${path}/`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    const header = (name: string) => preflight.headers.get(`access-control-${name}`);
    expect([
      preflight.status,
      header('allow-origin'),
      header('allow-methods'),
      header('allow-headers'),
      header('max-age'),
    ]).toEqual([204, '*', 'POST', 'content-type, x-mp-key', '86400']);
    expect(await preflight.text()).toBe('');
  });

  it('lets pages read every answer, refusals too', async () => {
    const key = { 'x-mp-key': 'key' };
    const answers = [
      await open.post('/v1/identify', BODY, key),
      await open.post('/v1/identify', 'no json', key),
      await open.post('/v1/identify', BODY, NO_HEADER),
      await open.post('/v1/identify', BODY, { 'x-mp-key': 'nobody' }),
      await open.post('/v1/search', { user_identities: { email: 'nobody@example.com' } }),
      await open.call('/v1/identify', { method: 'GET' }),
      await open.post('/v2/events', 'x'.repeat(300_000), key),
      await open.post('/v2/events', 'x', { ...key, 'content-type': 'text/plain' }),
    ];
    world.publisher.away = true;
    answers.push(await open.post('/v2/events', { ...BODY, events: [] }, key));
    world.publisher.away = false;
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 403, 404, 405, 413, 415, 503]);
    expect(answers.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual(answers.map(() => '*'));
    expect(answers.map(({ headers }) => headers.get('access-control-expose-headers'))).toEqual(
      answers.map(() => 'retry-after'),
    );
    for (const answer of answers.slice(1))
      expect(await answer.json()).toEqual({
        errors: [{ code: expect.any(String) as string, message: expect.any(String) as string }],
      });
  });

  it('adds nothing on other paths', async () => {
    const other = await open.call('/v2/requests', { method: 'OPTIONS' });
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  });
});
