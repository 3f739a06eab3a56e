import { TOPICS, ingestEvents } from '@opendsr-service/contracts';
import { Service } from '../testing/service';
import { until } from '@opendsr-service/messaging/testing';
import { identity, World } from '../testing/world';

let world: World;
let service: Service;
beforeAll(async () => {
  world = await World.open();
  service = await Service.start(world, {
    INGEST_BATCH_LIMIT_EVENTS: '3',
    INGEST_BATCH_LIMIT_BYTES: '2000',
    INGEST_CALL_LIMIT_BYTES: '6000',
    INGEST_BULK_LIMIT_BATCHES: '5',
  });
});
afterAll(async () => {
  await service.stop();
  await world.close();
});

const batchesOf = async (email: string): Promise<string[]> =>
  (await world.export('acme', identity('email', email))).flatMap((item) => ('batch' in item ? [item.batch] : []));
const errorsOf = async (answer: Response): Promise<{ code: string; message: string }[]> =>
  ((await answer.json()) as { errors: { code: string; message: string }[] }).errors;
const messagesOf = async (answer: Response): Promise<string[]> =>
  (await errorsOf(answer)).map(({ message }) => message);
const statusAndText = async (answer: Promise<Response>) => [(await answer).status, await (await answer).text()];
const event = { event_type: 'screen_view', data: { screen_name: 'home', custom_attributes: { colour: 'red' } } };
const of = (email: string) => ({ user_identities: { email } });
const mpidOf = async (email: string): Promise<string> => (await service.identity('/v1/identify', of(email))).mpid;

describe('POST /v2/events', () => {
  it('answers 202 without a body, and stores the batch with the mpid of its profile, else unchanged', async () => {
    const body =
      '{\n  "mpid": 5, "user_identities": {"email": "events@example.com"},\r\n  ' +
      '"events": [{"event_type": "of_tomorrow", "data": {"n": 12345678901234567890, "x": 1.50}}],\n  "unknown": true }';
    expect(await statusAndText(service.post('/v2/events/', body))).toEqual([202, '']);
    await until(async () => (await batchesOf('events@example.com')).length === 1);
    expect(await batchesOf('events@example.com')).toEqual([
      '{"user_identities": {"email": "events@example.com"},' +
        '"events": [{"event_type": "of_tomorrow", "data": {"n": 12345678901234567890, "x": 1.50}}],' +
        `"unknown": true,"mpid":${await mpidOf('events@example.com')}}`,
    ]);
  });

  it('answers 503 with retry-after while the event log is away, and accepts the batch afterwards', async () => {
    world.publisher.away = true;
    const body = { user_identities: { customer_id: 'C-503' }, events: [event] };
    const refused = await Promise.all([service.post('/v2/events', body), service.post('/v2/bulkevents', [body, {}])]);
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '1'],
      [503, '1'],
    ]);
    expect(await refused[0]?.json()).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE' }] });
    world.publisher.away = false;
    expect((await service.post('/v2/events', body)).status).toBe(202);
  });

  it.each([
    ['no events', of('e'), 'events must be an array'],
    ['an event without a type', { ...of('e'), events: [{ data: {} }] }, /^events\[0\]\.event_type must be/],
    [
      'an event without data',
      { ...of('e'), events: [{ event_type: 'custom_event' }] },
      'events[0].data must be an object',
    ],
    [
      'more events than a batch may hold',
      { ...of('e'), events: [event, event, event, event] },
      'events holds more than 3 events.',
    ],
    ['nobody', { events: [event] }, 'The body names no identity of a known type.'],
    [
      'an mpid of nobody alone',
      { mpid: '17', events: [event] },
      'mpid belongs to no profile, and the batch names no identity.',
    ],
    ['an event in a list of its own', { ...of('e'), events: [[event]] }, 'events[0] must be a JSON object.'],
    [
      'a source_request_id that ends in half a character',
      `{"user_identities":{"email":"e"},"events":[],"source_request_id":"a\\ud800"}`,
      'source_request_id is not Unicode.',
    ],
    ['an mpid that is none', { mpid: 1.5, ...of('e'), events: [event] }, 'mpid must be a signed 64-bit integer.'],
    ['an mpid beyond 64 bits', '{"mpid":9223372036854775808,"events":[]}', 'mpid must be a signed 64-bit integer.'],
    [
      'a source_request_id that is too long',
      { ...of('e'), events: [event], source_request_id: 'x'.repeat(257) },
      /^source_request_id must be/,
    ],
  ])('refuses a body with %s', async (_, body, message) => {
    const answer = await service.post('/v2/events', body);
    expect(answer.status).toBe(400);
    const errors = await errorsOf(answer);
    expect(
      errors.some(
        (error) =>
          error.code === 'BAD_REQUEST' &&
          (typeof message === 'string' ? error.message === message : message.test(error.message)),
      ),
    ).toBe(true);
  });

  it('refuses a batch beyond its size with 413', async () => {
    const large = await service.post('/v2/events', {
      ...of('large@example.com'),
      events: [],
      padding: 'x'.repeat(2_000),
    });
    expect([large.status, await errorsOf(large)]).toEqual([
      413,
      [{ code: 'PAYLOAD_TOO_LARGE', message: 'The body is too large.' }],
    ]);
  });

  it('takes the mpid, an integer or text, and finds the batch by identities without owner beside it', async () => {
    const mpid = await mpidOf('by-mpid@example.com');
    for (const named of [mpid, `"${mpid}"`]) {
      expect(
        (await service.post('/v2/events', `{"mpid":${named},"user_identities":{"customer_id":"by-mpid"},"events":[]}`))
          .status,
      ).toBe(202);
    }
    expect(
      (await service.post('/v2/events', `{"mpid":17,"user_identities":{"email":"by-mpid@example.com"},"events":[]}`))
        .status,
    ).toBe(202);
    await until(async () => (await batchesOf('by-mpid@example.com')).length === 3);
    const found = await world.export('acme', identity('controller_customer_id', 'by-mpid'));
    expect(found.filter((item) => 'batch' in item)).toHaveLength(3);
  });

  it('prefers login identities of another person over the mpid, so that requests by them find the batch', async () => {
    const mpid = await mpidOf('last-user@example.com');
    const known = await mpidOf('known-user@example.com');
    for (const email of ['known-user@example.com', 'new-user@example.com'])
      expect(
        (await service.post('/v2/events', `{"mpid":${mpid},${JSON.stringify(of(email)).slice(1, -1)},"events":[]}`))
          .status,
      ).toBe(202);
    await until(async () => (await batchesOf('new-user@example.com')).length === 1);
    await until(async () => (await batchesOf('known-user@example.com')).length === 1);
    expect(await batchesOf('last-user@example.com')).toEqual([]);
    expect(new Set([mpid, known, await mpidOf('new-user@example.com')]).size).toBe(3);
  });
});

describe('source_request_id', () => {
  it('is published as a hash with the key, only if present', async () => {
    const before = (await batchRecords()).length;
    for (const source_request_id of ['planted-source-id', 'planted-source-id', 'another', '', null, undefined]) {
      expect(
        (await service.post('/v2/events', { ...of('sourced@example.com'), events: [event], source_request_id })).status,
      ).toBe(202);
    }
    const [first, repeat, another, ...none] = (await batchRecords(before + 6))
      .slice(before)
      .map(({ sourceRequest }) => sourceRequest);
    const index = await world.parts.vault.index('acme');
    expect([first, repeat]).toEqual([index.hash('source-request', 'key', 'planted-source-id'), first]);
    expect(another).not.toBe(first);
    expect(none).toEqual([undefined, undefined, undefined]);
    expect(world.filesHolding(['planted-source-id'])).toEqual([]);
  });
});

describe('POST /v2/bulkevents', () => {
  it('stores every batch unchanged, and answers 202 without a body', async () => {
    const bodies = [
      '{"user_identities":{"email":"bulk@example.com"},"events":[],"n": 12345678901234567890,"t":"]},{\\""}',
      '{"known_identities":{"email":"Bulk@example.com"},"events":[],"x":1.50}',
    ];
    expect(await statusAndText(service.post('/v2/bulkevents/', `[ ${bodies.join(' ,\n')}\n]`))).toEqual([202, '']);
    await until(async () => (await batchesOf('bulk@example.com')).length === 2);
    const mpid = await mpidOf('bulk@example.com');
    expect(await batchesOf('bulk@example.com')).toEqual(bodies.map((body) => `${body.slice(0, -1)},"mpid":${mpid}}`));
  });

  it('accepts the valid batches and names the others by path', async () => {
    const good = (n: number) => ({ ...of('mixed@example.com'), events: [event], n });
    const answer = await service.post('/v2/bulkevents', [
      of('e'),
      good(1),
      { ...good(2), padding: 'x'.repeat(2_000) },
      good(3),
      { mpid: 17, events: [] },
    ]);
    expect([answer.status, await messagesOf(answer)]).toEqual([
      400,
      [
        '[0].events must be an array',
        '[2] is larger than 2000 bytes.',
        '[4].mpid belongs to no profile, and the batch names no identity.',
        'The other 2 batches were taken. Send again only what is named here.',
      ],
    ]);
    await until(async () => (await batchesOf('mixed@example.com')).length === 2);
    expect((await batchesOf('mixed@example.com')).map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([1, 3]);
  });

  it('keeps the order of its batches and of the calls', async () => {
    const called = [0, 1, 2, 3, 4].map((call) => [0, 1, 2, 3, 4].map((n) => call * 5 + n));
    for (const numbers of called)
      expect(
        (
          await service.post(
            '/v2/bulkevents',
            numbers.map((n) => ({ ...of('ordered@example.com'), events: [], n })),
          )
        ).status,
      ).toBe(202);
    await until(async () => (await batchesOf('ordered@example.com')).length === 25);
    expect((await batchesOf('ordered@example.com')).map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(
      called.flat(),
    );
  });

  it('names more than one fault of a batch', async () => {
    const answer = await service.post('/v2/bulkevents', [
      { user_identities: { email: 7 }, timestamp_unixtime_ms: 1_795_424_400_000, events: [] },
      { events: [] },
      'text',
      null,
    ]);
    expect([answer.status, await messagesOf(answer)]).toEqual([
      400,
      [
        '[0].user_identities.email must be a string of at most 4096 Unicode characters.',
        '[0].timestamp_unixtime_ms is more than 24 hours ahead.',
        '[1] names no identity of a known type.',
        '[2] must be a JSON object.',
        '[3] must be a JSON object.',
        'No batch was taken. Send again only what is named here.',
      ],
    ]);
  });

  it.each([
    ['an object', {}, 400, 'The body must be a JSON array.'],
    ['no batch', [], 400, 'The body must contain a batch.'],
    [
      'more batches than a call may hold',
      Array.from({ length: 6 }, () => ({ ...of('too-many@example.com'), events: [] })),
      400,
      'The body must contain at most 5 batches.',
    ],
    [
      'more bytes than a call may hold',
      Array.from({ length: 4 }, () => ({ ...of('too-many@example.com'), events: [], padding: 'x'.repeat(1_800) })),
      413,
      'The body is too large.',
    ],
  ])('refuses %s as a whole', async (_, body, status, message) => {
    const answer = await service.post('/v2/bulkevents', body);
    expect([answer.status, await messagesOf(answer)]).toEqual([status, [message]]);
    expect((await service.post('/v1/search', of('too-many@example.com'))).status).toBe(404);
  });
});

describe('a bulk call of which more is refused than an answer names faults', () => {
  let roomy: Service;
  beforeAll(async () => {
    roomy = await Service.start(world, { INGEST_BULK_LIMIT_BATCHES: '150' });
  });
  afterAll(() => roomy.stop());

  const good = { ...of('beside-faults@example.com'), events: [event] };
  const faulty = (faults: number) => ({
    ...of('e'),
    events: Array.from({ length: faults }, () => ({ ...event, data: 0 })),
  });
  const messages = async (batches: readonly object[]) => {
    const answer = await roomy.post('/v2/bulkevents', batches);
    expect(answer.status).toBe(400);
    return messagesOf(answer);
  };
  const more = 'The batches that are named here have more faults.';
  const closing = 'The other batch was taken. Send again only what is named here.';

  it('names every refused batch, and how many were taken, beside a batch of more faults', async () => {
    const named = await messages([faulty(101), good, of('e')]);
    expect(named.slice(-4)).toEqual([
      '[0].events[98].data must be an object',
      '[2].events must be an array',
      more,
      closing,
    ]);
    expect(named).toHaveLength(102);
  });

  it.each([
    [1, 99, 100],
    [1, 140, 141],
    [2, 50, 101],
    [2, 60, 102],
    [2, 140, 142],
  ])('names every batch for %d faults in each of %d', async (faults, count, length) => {
    const named = await messages([good, ...Array.from({ length: count }, () => faulty(faults))]);
    const refused = new Set(named.flatMap((message) => /^\[\d+\]/.exec(message) ?? []));
    expect([refused.size, named.length, named.at(-1)]).toEqual([count, length, closing]);
    expect(named.includes(more)).toBe(count * faults > named.length);
  });
});

async function batchRecords(count = 0) {
  return (await world.records(TOPICS.ingestEvents.name, count)).map((record) => ingestEvents.decode(record));
}
