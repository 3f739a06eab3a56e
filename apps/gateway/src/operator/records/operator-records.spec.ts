import 'reflect-metadata';
import { deliveryEvents, participantReports, requestKey, TOPICS } from '@opendsr-service/contracts';
import { LogAway, type EventLog, type KeyRead } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { callbackEvents } from '../../testing/callback-events';
import { publishCancellation } from '../../testing/publish-events';
import { OperatorWorld } from '../testing/operator-world';
import { recordsAnswer } from './records-answer';
import { CLOCKS_DIFFER_MS, MOST_AT_ONCE, RequestRecords } from './request-records';

interface Records {
  readonly records: readonly {
    readonly topic: string;
    readonly type: string | null;
    readonly offset: string;
    readonly fields: object | null;
  }[];
  readonly topics: readonly { readonly topic: string; readonly state: string; readonly stopped_by: string | null }[];
  readonly from_time: string;
  readonly next_cursor: string | null;
}

const PERSON = 'somebody@example.com';
const SECRETS = [PERSON, 'receiver.example.com', 'hidden', 'family', 'Ann', 'identities'];

let world: OperatorWorld;
/** Of a request with records on each topic. */
let id: string;
beforeAll(async () => {
  world = await OperatorWorld.open({ ACCESS_WAIT_MS: '30d' });
  id = await world.request({
    subject_identities: [{ identity_type: 'email', identity_value: PERSON, identity_format: 'raw' }],
    status_callback_urls: ['https://receiver.example.com/callbacks?token=hidden'],
    group_id: 'family',
  });
  await world.request();
  const of = { ws: 'sandbox', srid: id };
  const [destination = ''] = (await world.world.store.find('sandbox', id))?.openDestinations ?? [];
  await publishCancellation(world.world, of);
  const { publisher } = world.world;
  await publisher.publish(TOPICS.participantReports.name, [
    participantReports.encode({
      ...{ ...of, type: 'ParticipantReport', id: '00000000-0000-5000-8000-000000000001', status: 'failed' },
      ...{ at: '2026-11-21T09:00:00.000Z', participant: 'ann-smith', statusMessage: 'Ann has moved' },
    }),
    { key: requestKey('sandbox', id), value: 'Ann', headers: { from: 'Ann' } },
  ]);
  const callback = callbackEvents({ ...of, destination });
  await publisher.publish(TOPICS.deliveryEvents.name, [
    deliveryEvents.encode(callback.attempted(1, 16, 'rejected', { httpStatus: 503, durationMs: 5 })),
  ]);
  await until(async () => (await list()).records.length === 6);
});
afterAll(() => world.close());

const read = (query = '', of = id) =>
  world.call('GET', `/requests/sandbox/${of}/records${query}`, { groups: ['viewer@sandbox'] });
const list = async (query = '') => (await (await read(query)).json()) as Records;

it('lists the records of a request topic by topic, without personal data, and none of another', async () => {
  const all = await list();
  expect(all.records.map(({ topic, type, fields }) => [topic, type, fields])).toEqual([
    [TOPICS.commands.name, 'SubmitRequest', { seq: 1, at: expect.any(String) as string }],
    [TOPICS.requestEvents.name, 'LaterEvent', expect.objectContaining({ version: 1, commandSeq: 1 })],
    [TOPICS.requestEvents.name, 'RequestCancelled', expect.objectContaining({ version: 2, commandSeq: 2 })],
    [
      TOPICS.participantReports.name,
      'ParticipantReport',
      expect.objectContaining({ status: 'failed', participant: expect.stringMatching(/^sha256:/) as string }),
    ],
    [TOPICS.participantReports.name, null, null],
    [
      TOPICS.deliveryEvents.name,
      'CallbackAttempted',
      expect.objectContaining({ attempt: 1, outcome: 'rejected', httpStatus: 503, durationMs: 5 }),
    ],
  ]);
  expect(all.topics.map(({ state, stopped_by: by }) => [state, by])).toEqual(Array(4).fill(['read', null]));
  expect([all.next_cursor, all.from_time]).toEqual([null, '2026-11-21T08:50:00.000Z']);
  for (const secret of SECRETS) expect(JSON.stringify(all)).not.toContain(secret);
});

it('gives the same records in pages, and says where each stopped', async () => {
  const pages = [await list('?limit=1')];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor)
    pages.push(await list(`?limit=1&cursor=${cursor}`));
  expect(pages.flatMap((page) => page.records)).toEqual((await list()).records);
  expect(pages.some(({ topics }) => topics.some((topic) => topic.stopped_by === 'records'))).toBe(true);
  expect(pages.every(({ records }) => records.length <= 1)).toBe(true);
});

it('begins where it is told, and refuses what it does not know', async () => {
  expect((await list('?from=2999-01-01T00:00:00Z')).records).toEqual([]);
  const foreign = Buffer.from(JSON.stringify(['records', 'ingest.profiles.v1', '0'])).toString('base64url');
  for (const query of ['?limit=0', '?limit=201', '?cursor=x', `?cursor=${foreign}`, '?from=now', '?more=1'])
    expect((await read(query)).status).toBe(400);
  expect((await read('', '475974fa-6b42-4370-bb56-b5d845686bb5')).status).toBe(404);
});

describe('a search of the log', () => {
  const page = { limit: 50, after: undefined, from: undefined };
  const searchOf = (readKey: EventLog['readKey']) =>
    new RequestRecords({ requests: world.world.store, events: { readKey } });
  const ask = (records: RequestRecords) => records.page('sandbox', id, page);

  it('is one of few at the same time: beyond them it is refused, and let in once one has ended', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<readonly KeyRead[]>();
    let begun = 0;
    const search = searchOf(() => ((begun += 1), held));
    const running = Array.from({ length: MOST_AT_ONCE }, () => ask(search));
    await until(() => begun === MOST_AT_ONCE);
    await expect(ask(search)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    release([]);
    await Promise.all(running);
    await ask(search);
    expect(begun).toBe(MOST_AT_ONCE + 1);
  });

  it('is answered 503 while the log is away, and gives its place back', async () => {
    const search = searchOf(() => Promise.reject(new LogAway('away')));
    for (let n = 0; n <= MOST_AT_ONCE; n++) await expect(ask(search)).rejects.toMatchObject({ status: 503 });
  });

  it('asks for the key of the request from shortly before its receipt, and goes on behind a topic that is denied', async () => {
    const asked: Parameters<EventLog['readKey']>[0][] = [];
    const topic = TOPICS.commands.name;
    const search = searchOf((question) => (asked.push(question), Promise.resolve([{ topic, isDenied: true }])));
    const found = await ask(search);
    const receivedAt = (await world.world.store.find('sandbox', id))?.receivedAt.getTime() ?? 0;
    expect(asked[0]).toMatchObject({
      key: requestKey('sandbox', id),
      starts: [{ topic, from: new Date(receivedAt - CLOCKS_DIFFER_MS) }, {}, {}, {}],
      bounds: { records: 50 },
    });
    expect(found.next).toEqual({ topic: TOPICS.requestEvents.name, offset: undefined });
    expect(recordsAnswer(found)).toMatchObject({ records: [], topics: [{ topic, state: 'denied', partition: null }] });
  });

  it('says what the retention has removed', async () => {
    const read: KeyRead = { topic: TOPICS.commands.name, partition: 2, records: [], next: '9', bytes: 0 };
    const answered = async (leftFromMs: number | null) =>
      recordsAnswer(await ask(searchOf(() => Promise.resolve([{ ...read, leftFromMs }])))).topics[0];
    expect(await answered(1_000)).toMatchObject({ is_cut: true, left_from_time: '1970-01-01T00:00:01.000Z' });
    expect(await answered(null)).toMatchObject({ is_cut: true, left_from_time: null, kept_ms: 604_800_000 });
  });
});
