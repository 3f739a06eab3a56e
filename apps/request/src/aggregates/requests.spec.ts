import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesDigest, evidenceLeaves, requestEvents, TOPICS } from '@opendsr-service/contracts';
import { PublishRefused, PublishTimeout, type LogRecord } from '@opendsr-service/messaging';
import { missUntilWrite } from '@opendsr-service/storage/testing';
import { leafKeyOf } from '@opendsr-service/vault';
import type { RequestInput } from '../domain/decide';
import { World } from '../testing/world';
import { OutboxRelay } from './outbox-relay.worker';

const ws = 'acme';
const at = '2026-11-21T09:00:00.000Z';
const id = '00000000-0000-5000-8000-000000000001';
const sealed = 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=';
const admission = {
  controllerId: '1',
  apiVersion: '2.0',
  type: 'access',
  submittedTime: at,
  receivedAt: at,
  startAt: at,
  expectedAt: at,
  groupId: null,
  fingerprint: 'f',
  kid: 'k',
  identities: sealed,
  callbacks: [],
} as const;

let world: World;
let srid: string;
const submit = (): RequestInput => ({ type: 'SubmitRequest', id, ws, srid, at, seq: 1, request: admission });
const cancel = (): RequestInput => ({ type: 'CancelRequest', id, ws, srid, at, seq: 2 });
const start = (): RequestInput => ({
  type: 'StartRequest',
  id,
  ws,
  srid,
  at,
  seq: 2,
  work: { type: 'access', kid: 'k', identities: sealed },
  participants: [{ name: 'a' }, { name: 'b' }],
});
const report = (participant: string): RequestInput => ({
  type: 'ParticipantReport',
  id,
  ws,
  srid,
  at: '2026-11-21T09:01:00.000Z',
  participant,
  status: 'completed',
});
const brief = async (count: number) =>
  (await world.events(count)).map(({ version, commandSeq, type }) => `${version}/${commandSeq} ${type}`);

const emptied = async () => {
  await world.store.emptyPublished();
  return world.store.load(ws, srid);
};
const outboxOf = async () => (await world.store.load(ws, srid))?.outbox.map(({ version }) => version);

beforeEach(async () => {
  world = await World.open();
  srid = randomUUID();
});
afterEach(() => world.close());

it('publishes its events in order, and leaves nothing unpublished', async () => {
  const requests = world.replica();
  for (const input of [submit(), start(), report('a'), report('b')]) expect(await requests.handle(input)).toBe('done');
  expect(await brief(5)).toEqual([
    '1/1 RequestReceived',
    '2/2 RequestStarted',
    '3/2 ParticipantReported',
    '4/2 ParticipantReported',
    '5/2 RequestFulfilled',
  ]);
  const left = await emptied();
  expect(left).toMatchObject({ v: 5, commandSeq: 2, outbox: [] });
  expect(left).not.toHaveProperty('outboxAt');
});

it('publishes an event and its leaf, and publishes the leaf later after a crash between the two', async () => {
  const { log } = world.parts;
  const leaves = async () => {
    const seen: string[] = [];
    const take = (records: readonly LogRecord[]) => {
      seen.push(...records.map((record) => evidenceLeaves(leafKeyOf(world.seal)).decode(record).id));
      return Promise.resolve();
    };
    await log.read(TOPICS.evidenceLeaves.name, {}, take);
    return seen;
  };
  const publish = world.publisher.publish.bind(world.publisher);
  world.publisher.publish = (topic, ...rest) =>
    topic === TOPICS.evidenceLeaves.name ? Promise.reject(new PublishTimeout('killed')) : publish(topic, ...rest);
  const received = { ...submit(), request: { ...admission, receipt: 'r'.repeat(43) } } as RequestInput;
  await expect(world.replica().handle(received)).rejects.toThrow(PublishTimeout);
  expect([await brief(1), await leaves()]).toEqual([['1/1 RequestReceived'], []]);
  world.publisher.publish = publish;
  world.clock.advance(World.relayAfterMs);
  expect(await world.relay.runOnce()).toBe(1);
  expect(await leaves()).toHaveLength(1);
  await world.otherProcess().handle(received);
  expect(new Set(await leaves()).size).toBe(1);
});

it('chains the events of a request: each names the digest of the bytes before it, after a crash and in another process too', async () => {
  const logged: LogRecord[] = [];
  const read = () =>
    world.parts.log.read(TOPICS.requestEvents.name, {}, (records) => Promise.resolve(void logged.push(...records)));
  await world.replica().handle(submit());
  world.publisher.away = true;
  await expect(world.otherProcess().handle(start())).rejects.toThrow('away');
  world.publisher.away = false;
  const other = world.otherProcess();
  for (const input of [start(), report('a'), report('b')]) await other.handle(input);
  await read();
  // The other process published the first event again, in the same bytes.
  const events = new Map(logged.map((record) => [bytesDigest(record.value), record]));
  const digests = [...events.keys()];
  const previous = [...events.values()].map(
    (record) => (requestEvents.decode(record) as { previous?: string }).previous,
  );
  expect(previous).toEqual([undefined, ...digests.slice(0, -1)]);
  expect([digests.length, (await world.store.load(ws, srid))?.history]).toEqual([5, digests.at(-1)]);
});

it('ignores a cancel before its submit, and applies it when the gateway sends both again', async () => {
  const requests = world.replica();
  expect(await requests.handle(cancel())).toBe('gap');
  expect(await requests.handle(submit())).toBe('done');
  expect(await requests.handle(submit())).toBe('repeat');
  expect(await requests.handle(cancel())).toBe('done');
  expect(await brief(2)).toEqual(['1/1 RequestReceived', '2/2 RequestCancelled']);
});

it('fails a command whose events cannot be published, and publishes them when the command comes again', async () => {
  const requests = world.replica();
  world.publisher.away = true;
  await expect(requests.handle(submit())).rejects.toThrow('away');
  await expect(requests.handle(submit())).rejects.toThrow('away');
  world.publisher.away = false;
  expect(await requests.handle(submit())).toBe('repeat');
  expect(await brief(1)).toEqual(['1/1 RequestReceived']);
  expect(await emptied()).toMatchObject({ v: 1, outbox: [] });
});

it('publishes by the relay the events that a crash left, in order and after their due time', async () => {
  const requests = world.replica();
  world.publisher.away = true;
  await expect(requests.handle(submit())).rejects.toThrow('away');
  await expect(requests.handle(cancel())).rejects.toThrow('away');
  world.publisher.away = false;
  expect(await world.relay.runOnce()).toBe(0);
  world.clock.advance(World.relayAfterMs);
  expect(await world.relay.runOnce()).toBe(1);
  expect(await brief(2)).toEqual(['1/1 RequestReceived', '2/2 RequestCancelled']);
  expect(await emptied()).toMatchObject({ outbox: [] });
});

it('publishes by the relay all other outboxes before it rejects with one that fails', async () => {
  world.publisher.away = true;
  const srids = [randomUUID(), randomUUID()];
  for (srid of srids) await expect(world.replica().handle(submit())).rejects.toThrow('away');
  world.publisher.away = false;
  const publish = world.publisher.publish.bind(world.publisher);
  world.publisher.publish = async (topic, records) => {
    if (records.some(({ key }) => key.includes(srids[0] as string))) throw new PublishRefused('rejected', 'planted');
    await nextTurn();
    return publish(topic, records);
  };
  world.clock.advance(World.relayAfterMs);
  await expect(world.relay.runOnce()).rejects.toThrow('planted');
  const published = await Promise.all(srids.map(async (one) => world.store.load(ws, one)));
  expect(published.map((one) => one && world.store.isPublished(one))).toEqual([false, true]);
});

it('empties a published outbox by the next write, which adds only its own events', async () => {
  const requests = world.replica();
  await requests.handle(submit());
  expect(await outboxOf()).toEqual([1]);
  await requests.handle(start());
  expect(await outboxOf()).toEqual([2]);
  world.publisher.away = true;
  await expect(requests.handle(report('a'))).rejects.toThrow('away');
  await expect(requests.handle(report('b'))).rejects.toThrow('away');
  expect(await outboxOf()).toEqual([3, 4, 5]);
  world.publisher.away = false;
  expect(await requests.handle(report('b'))).toBe('repeat');
  expect(await brief(5)).toHaveLength(5);
});

it('empties a published outbox without a next write before the relay is due, and publishes nothing again', async () => {
  await world.replica().handle(submit());
  expect(await world.replica().handle(submit())).toBe('repeat');
  expect(await world.relay.runOnce()).toBe(0);
  expect(await outboxOf()).toEqual([1]);
  world.clock.advance(World.relayAfterMs / 2);
  expect(await world.relay.runOnce()).toBe(0);
  expect(await outboxOf()).toEqual([]);
  world.clock.advance(World.relayAfterMs);
  expect(await world.relay.runOnce()).toBe(0);
  await world.replica().handle(cancel());
  expect(await brief(2)).toEqual(['1/1 RequestReceived', '2/2 RequestCancelled']);
});

it('empties a published outbox soon, however late an unanswered command is sent again', async () => {
  const { store, publisher, clock } = world;
  await world.replica().handle(submit());
  clock.advance(World.relayAfterMs / 2);
  await new OutboxRelay(store, publisher, clock, {
    againAfterMs: 86_400_000,
    leafKey: leafKeyOf(world.seal),
  }).runOnce();
  expect(await outboxOf()).toEqual([]);
});

it('empties the outboxes of one version by one statement', async () => {
  const srids = [randomUUID(), randomUUID(), randomUUID()];
  for (srid of srids) await world.replica().handle(submit());
  const writing = jest.spyOn(world.parts.connection.collection('aggregates'), 'bulkWrite');
  await world.store.emptyPublished();
  expect(writing.mock.calls.map(([writes]) => writes.length)).toEqual([1]);
  writing.mockRestore();
  for (srid of srids) expect(await outboxOf()).toEqual([]);
});

it('publishes events again if their process died before it emptied the outbox', async () => {
  await world.replica().handle(submit());
  const other = world.otherProcess();
  expect(await other.handle(cancel())).toBe('done');
  expect(await brief(3)).toEqual(['1/1 RequestReceived', '1/1 RequestReceived', '2/2 RequestCancelled']);
});

const complete = (): RequestInput => ({ type: 'CompleteRequest', id, ws, srid, at, seq: 3 });

it('reads nothing of a request that it received: it decides on what it wrote itself', async () => {
  const find = jest.spyOn(world.parts.connection.collection('aggregates'), 'find');
  for (const input of [submit(), start(), report('a'), report('b'), complete()])
    expect(await world.replica().handle(input)).toBe('done');
  expect(find).not.toHaveBeenCalled();
  find.mockRestore();
  expect(await world.store.load(ws, srid)).toMatchObject({ v: 6, status: 'completed' });
});

it('decides on what another process wrote since, whether its own memory allows the input or not', async () => {
  await world.replica().handle(submit());
  const other = world.otherProcess();
  await other.handle(start());
  expect(await world.replica().handle(start())).toBe('repeat');
  for (const input of [report('a'), report('b')]) await world.replica().handle(input);
  await other.handle(complete());
  expect(await world.replica().handle(complete())).toBe('repeat');
  srid = randomUUID();
  await world.replica().handle(submit());
  await world.otherProcess().handle(start());
  expect(await world.replica().handle(report('a'))).toBe('done');
  expect(await world.store.load(ws, srid)).toMatchObject({ v: 3, reported: { a: 'completed' } });
});

it('counts a report also if the first read after an election misses the request', async () => {
  for (const input of [submit(), start()]) await world.replica().handle(input);
  missUntilWrite(world.parts.connection.collection('aggregates'));
  expect(await world.otherProcess().handle(report('a'))).toBe('done');
  expect(await world.store.load(ws, srid)).toMatchObject({ v: 3, reported: { a: 'completed' } });
});

it('counts a report also if the first read after an election misses the start, remembered or not', async () => {
  const aggregates = world.parts.connection.collection('aggregates');
  for (const isRemembered of [true, false]) {
    srid = randomUUID();
    await world.replica().handle(submit());
    const other = world.otherProcess();
    const updateOne = aggregates.updateOne.bind(aggregates);
    const writing = jest.spyOn(aggregates, 'updateOne').mockImplementationOnce(async (...args) => {
      await other.handle(start());
      return updateOne(...args);
    });
    expect(await (isRemembered ? world.replica() : world.otherProcess()).handle(report('a'))).toBe('done');
    writing.mockRestore();
    expect(await world.store.load(ws, srid)).toMatchObject({ v: 3, reported: { a: 'completed' } });
  }
});

it('reschedules nothing while the event log is away', async () => {
  world.publisher.away = true;
  await expect(world.replica().handle(submit())).rejects.toThrow('away');
  world.clock.advance(World.relayAfterMs);
  expect(await world.relay.runOnce()).toBe(0);
  world.publisher.away = false;
  expect(await world.relay.runOnce()).toBe(1);
});

it('answers done to each of two reports that are written in one bulk write, though one of them is decided again', async () => {
  const requests = world.replica();
  await requests.handle(submit());
  await requests.handle(start());
  const both = await Promise.all([report('a'), report('b')].map((input) => requests.handle(input)));
  expect(both).toEqual(['done', 'done']);
  expect(await emptied()).toMatchObject({ v: 5, status: 'fulfilled' });
});

it('decides again if another writer was faster: versions have neither gaps nor duplicates', async () => {
  const replicas = Array.from({ length: 4 }, () => world.replica());
  expect(
    (await Promise.all(replicas.map((requests) => requests.handle(submit())))).filter((outcome) => outcome === 'done'),
  ).toHaveLength(1);
  await world.replica().handle(start());
  await Promise.all(
    [report('a'), report('b'), report('a'), report('b')].map((input, n) =>
      (replicas[n] as (typeof replicas)[0]).handle(input),
    ),
  );
  expect(await emptied()).toMatchObject({ v: 5, status: 'fulfilled', outbox: [] });
  const versions = (await world.events(5)).map(({ version, type }) => `${version} ${type}`);
  expect([...new Set(versions)].sort()).toEqual([
    '1 RequestReceived',
    '2 RequestStarted',
    '3 ParticipantReported',
    '4 ParticipantReported',
    '5 RequestFulfilled',
  ]);
});

it('keeps the state of outside participants and repeats it when the request completes', async () => {
  const requests = world.replica();
  const participants = [{ name: 'a' }, { name: 'crm', domain: 'crm.example' }];
  const failed: RequestInput = {
    ...(report('crm') as Extract<RequestInput, { type: 'ParticipantReport' }>),
    at,
    status: 'failed',
    statusMessage: 'disk full',
  };
  await requests.handle(submit());
  await requests.handle({ ...(start() as Extract<RequestInput, { type: 'StartRequest' }>), participants });
  await requests.handle(failed);
  expect(await world.store.load(ws, srid)).toMatchObject({
    outside: [{ domain: 'crm.example', name: 'crm' }],
    messages: { crm: 'disk full' },
    reportedAt: { crm: at },
  });
  for (const input of [report('a'), report('crm'), { type: 'CompleteRequest', id, ws, srid, at, seq: 3 } as const])
    expect(await world.replica().handle(input)).toBe('done');
  const extensions = [{ domain: 'crm.example', name: 'crm', status: 'sent', statusMessage: null }];
  expect((await world.events(7))[6]).toMatchObject({ type: 'RequestCompleted', extensions });
  expect((await world.store.load(ws, srid))?.messages).toEqual({});
});
