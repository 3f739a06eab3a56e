import { BASIC, NO_HEADER, Service, WRONG } from './testing/service';
import { identity, until, World } from './testing/world';

interface Identified {
  readonly context: string | null;
  readonly mpid: string;
  readonly matched_identities: Record<string, string>;
  readonly is_ephemeral: boolean;
  readonly is_logged_in: boolean;
}

let world: World;
let service: Service;
beforeAll(async () => {
  world = await World.open();
  service = await Service.start(world);
});
afterAll(async () => {
  await service.stop();
  await world.close();
});

const identify = async (body: unknown): Promise<Identified> => {
  const answer = await service.post('/v1/identify', body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Identified;
};
const exported = (email: string) => world.export('acme', identity('email', email));
const event = { event_type: 'screen_view', data: { screen_name: 'home', custom_attributes: { colour: 'red' } } };

describe('POST /v1/identify', () => {
  it('answers both dialects with the same profile', async () => {
    const first = await identify({ user_identities: { customer_id: 'C-1', email: 'One@example.com' }, environment: 'production', ip: '10.0.0.1' });
    expect(first).toEqual({
      context: null,
      mpid: expect.stringMatching(/^-?\d+$/) as string,
      matched_identities: { customer_id: 'C-1', email: 'one@example.com' },
      is_ephemeral: false,
      is_logged_in: true,
    });
    const second = await identify({
      client_sdk: { platform: 'web', sdk_vendor: 'x', sdk_version: '1' }, context: 'ctx', environment: 'development',
      request_id: 'r', request_timestamp_ms: 1, previous_mpid: null, known_identities: { customerid: 'C-1', ios_idfv: 'AB-1', email: null },
    });
    expect(second).toMatchObject({ context: 'ctx', mpid: first.mpid, matched_identities: { customerid: 'C-1', ios_idfv: 'ab-1' } });
  });

  it('says of a device alone that nobody is logged in', async () => {
    expect(await identify({ known_identities: { android_uuid: 'only-a-device' } })).toMatchObject({ is_logged_in: false });
  });

  it('gives one mpid to two hundred simultaneous calls about one new customer', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => identify({ user_identities: { customer_id: 'C-racing', email: 'racing@example.com' } })));
    expect(new Set(answers.map(({ mpid }) => mpid)).size).toBe(1);
  });

  it('stores attributes on the profile, the later value over the earlier, every digit kept', async () => {
    const about = '"user_identities":{"email":"attributes@example.com"}';
    await identify(`{${about},"user_attributes":{"food":"pie","loyalty":9007199254740993,"gone":1}}`);
    await identify(`{${about},"user_attributes":{"food":"cake","gone":null}}`);
    await until(async () => JSON.stringify(await exported('attributes@example.com')).includes('cake'));
    const [profile] = await exported('attributes@example.com');
    expect(profile).toEqual({ profile: expect.stringContaining('"user_attributes":{"food":"cake","loyalty":9007199254740993}') as string });
  });

  it.each([
    ['no identity', {}, 'The body names no identity that is known here.'],
    ['an identity that is no text', { user_identities: { customer_id: 7 } }, 'user_identities.customer_id must be a string of at most 4096 characters.'],
    ['no object of identities', { user_identities: 'x' }, 'user_identities must be an object'],
    ['a time too far ahead', { user_identities: { email: 'e' }, timestamp_unixtime_ms: 1_795_424_400_000 }, 'timestamp_unixtime_ms is more than 24 hours ahead.'],
    ['no address', { user_identities: { email: 'e' }, ip: 'x' }, 'ip must be an ip address'],
    ['an unknown environment', { user_identities: { email: 'e' }, environment: 'moon' }, 'environment must be one of the following values: production, development'],
  ])('refuses a body with %s', async (_, body, message) => {
    const answer = await service.post('/v1/identify', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ errors: [{ code: 'BAD_REQUEST', message }] });
  });
});

describe('POST /v2/events', () => {
  it('answers 202 without a body, and keeps the batch as it came', async () => {
    const body = '{\n  "user_identities": {"email": "events@example.com"},\r\n  "events": [{"event_type": "of_tomorrow", "data": {"n": 12345678901234567890, "x": 1.50}}],\n  "unknown": true }';
    const answer = await service.post('/v2/events/', body);
    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe('');
    await until(async () => (await exported('events@example.com')).length === 3);
    const [, batch] = await exported('events@example.com');
    const { mpid } = await identify({ user_identities: { email: 'events@example.com' } });
    expect(batch).toEqual({
      batch: `{   "user_identities": {"email": "events@example.com"},   "events": [{"event_type": "of_tomorrow", "data": {"n": 12345678901234567890, "x": 1.50}}],   "unknown": true ,"mpid":${mpid}}`,
    });
  });

  it('says 503 and when to come again while the log is away, and takes the batch once it is back', async () => {
    world.publisher.away = true;
    const body = { user_identities: { customer_id: 'C-503' }, events: [event] };
    const refused = await service.post('/v2/events', body);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE' }] });
    world.publisher.away = false;
    expect((await service.post('/v2/events', body)).status).toBe(202);
  });

  it.each([
    ['no events', { user_identities: { email: 'e' } }, 'events must be an array'],
    ['an event without a type', { user_identities: { email: 'e' }, events: [{ data: {} }] }, /^events\[0\]\.event_type must be/],
    ['an event without data', { user_identities: { email: 'e' }, events: [{ event_type: 'custom_event' }] }, 'events[0].data must be an object'],
  ])('refuses a body with %s', async (_, body, message) => {
    const answer = await service.post('/v2/events', body);
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as { errors: { code: string; message: string }[] };
    expect(errors.some((error) => error.code === 'BAD_REQUEST' && (typeof message === 'string' ? error.message === message : message.test(error.message)))).toBe(true);
  });
});

describe('credentials', () => {
  it.each(['/v1/identify', '/v2/events'])('are looked at before the body of %s: 401 where they are missing, 403 where they are wrong', async (path) => {
    const missing = await service.post(path, 'no json', NO_HEADER);
    const wrong = await service.post(path, 'no json', WRONG);
    const strange = await service.post(path, 'no json', 'Bearer x');
    const right = await service.post(path, 'no json', BASIC);
    expect([missing, wrong, strange, right].map(({ status }) => status)).toEqual([401, 403, 403, 400]);
    expect(await missing.json()).toMatchObject({ errors: [{ code: 'UNAUTHORIZED' }] });
    expect(await wrong.json()).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] });
    expect(await right.json()).toMatchObject({ errors: [{ code: 'BAD_REQUEST' }] });
  });
});

describe('POST /internal/exports', () => {
  const order = () => world.order('acme', [identity('email', 'exported@example.com')]);

  it('tells profiles, then batches, then the end, one a line', async () => {
    await service.post('/v2/events', { user_identities: { email: 'exported@example.com' }, events: [event] });
    await until(async () => (await exported('exported@example.com')).length === 3);
    const answer = await service.admin('/internal/exports', await order());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = (await answer.text()).split('\n');
    expect(lines.map((line) => line.slice(0, 10))).toEqual(['{"profile"', '{"batch":{', '{"end":{"p', '']);
    expect(lines[2]).toBe('{"end":{"profiles":1,"batches":1,"attributes":0}}');
  });

  it('tells only the end where nobody matches', async () => {
    const answer = await service.admin('/internal/exports', await world.order('acme', [identity('email', 'nobody@example.com')]));
    expect(await answer.text()).toBe('{"end":{"profiles":0,"batches":0,"attributes":0}}\n');
  });

  it('answers only who shows the token, on the internal port alone', async () => {
    expect((await service.admin('/internal/exports', await order(), 'guess')).status).toBe(401);
    expect((await service.post('/internal/exports', await order())).status).toBe(404);
  });

  it('takes an order as long as a create can make it, and refuses one that is none', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => identity('email', `${'x'.repeat(230)}${n}@example.com`));
    expect((await service.admin('/internal/exports', await world.order('acme', many))).status).toBe(200);
    expect((await service.admin('/internal/exports', { ws: 'acme' })).status).toBe(400);
  });
});

describe('what is sent', () => {
  it('stands in no file in the clear', async () => {
    const planted = ['planted-customer-4711', 'planted.person@example.com', 'planted-idfa-0815', 'planted-pie', 'planted-event-name'];
    const [customer_id, email, ios_idfa, food, event_name] = planted;
    await identify({ user_identities: { customer_id, email, ios_idfa }, user_attributes: { food } });
    await service.post('/v2/events', { user_identities: { customer_id }, events: [{ event_type: 'custom_event', data: { event_name } }] });
    await until(async () => {
      const told = JSON.stringify(await exported('planted.person@example.com'));
      return planted.every((value) => told.includes(value));
    });
    expect(world.filesHolding(planted)).toEqual([]);
    expect(world.filesHolding(['acme'])).toEqual(['acme']);
  });
});
