import { commands, messageId, requestEvents, TOPICS } from '@opendsr-service/contracts';
import { ParkedStore, type LogRecord, type PartitionLag, type Verdict } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { silentLogger, type LogFields } from '@opendsr-service/service';
import { FULL } from '@opendsr-service/storage/testing';
import { World } from '../testing/world';
import { AnsweredCommands } from './answered-commands.client';
import type { RelayWorker } from './relay.worker';

const CREATES_PER_SECOND = 3;
const SECONDS = FULL ? 100 : 40;
const LOST_AFTER_MS = 120_000;

let world: World;
let relay: RelayWorker;
let handled: number;
let allowed: number;
let mayGoOn: () => void;

/** The request service, which handles as many commands as it is allowed to, and the gateway's view of what it says. */
async function begin(): Promise<void> {
  const { log, connection } = world.parts;
  const rules = {
    parking: new ParkedStore(connection),
    isInfrastructureError: () => false,
    maxBatch: 1,
    onFatal: (error: Error) => {
      throw error;
    },
  };
  const seen = new Set<string>();
  let more = new Promise<void>((resolve) => (mayGoOn = resolve));
  const answer = async ([record]: readonly LogRecord[]): Promise<Verdict[]> => {
    while (handled >= allowed) {
      await more;
      more = new Promise<void>((resolve) => (mayGoOn = resolve));
    }
    const command = commands.decode(record as LogRecord);
    if (command.type !== 'SubmitRequest') throw new Error(command.type);
    const { ws, srid, request } = command;
    const event = {
      id: messageId(srid, 1),
      ws,
      srid,
      version: 1,
      commandSeq: 1,
      at: world.clock.now().toISOString(),
      type: 'RequestReceived',
      request,
    } as const;
    if (!seen.has(srid)) await log.publisher.publish(TOPICS.requestEvents.name, [requestEvents.encode(event)]);
    seen.add(srid);
    handled += 1;
    return ['done'];
  };
  const apply = async ([record]: readonly LogRecord[]): Promise<Verdict[]> => [
    await world.view.apply(requestEvents.decode(record as LogRecord)),
  ];
  await log.consume({ ...rules, group: 'request', topics: [TOPICS.commands.name], handle: answer });
  await log.consume({ ...rules, group: 'gateway', topics: [TOPICS.requestEvents.name], handle: apply });
}

const allow = (count: number): void => {
  allowed += count;
  mayGoOn();
};
const total = async (group: string, topic: string) => {
  const [standing] = await world.parts.log.lag(group, [topic]);
  return { end: Number(standing?.end), lag: Number(standing?.lag) };
};
const written = async () => (await total('request', TOPICS.commands.name)).end;
const isRead = async () =>
  (await Promise.all([total('request', TOPICS.commands.name), total('gateway', TOPICS.requestEvents.name)])).every(
    ({ lag }) => lag === 0,
  );
const create = async () => {
  const request = await world.admit();
  await world.commandPublisher.send(request, world.waitMs);
  return request;
};

beforeEach(async () => {
  [handled, allowed] = [0, 0];
  world = await World.open();
  relay = world.relayBy(world.parts.log);
  await begin();
});
afterEach(async () => {
  allow(Infinity);
  await until(isRead);
  await world.close();
});

it('repeats few commands while the request service falls behind under steady creates', async () => {
  for (let second = 0; second < SECONDS; second += 1) {
    for (let n = 0; n < CREATES_PER_SECOND; n += 1) await create();
    world.clock.advance(1_000);
    allow(1);
    const before = await written();
    await until(() => handled === Math.min(allowed, before));
    await relay.runOnce();
  }
  await until(async () => (await total('gateway', TOPICS.requestEvents.name)).lag === 0);
  expect((await written()) / (CREATES_PER_SECOND * SECONDS)).toBeLessThan(1.2);
  expect(await world.parts.connection.collection('requests').countDocuments({ v: 1 })).toBeGreaterThan(0.9 * SECONDS);
});

it('resends a lost command once all earlier commands were answered, and not before', async () => {
  for (let n = 0; n < 5; n += 1) await create();
  const lost = await world.admit();
  for (const seconds of [5, 60, 55]) {
    world.clock.advance(seconds * 1_000);
    expect(await relay.runOnce()).toBe(0);
  }
  allow(5);
  await until(isRead);
  world.clock.advance(world.resendMs - 1);
  // It asks the log no more often than that.
  expect(await relay.runOnce()).toBe(0);
  world.clock.advance(1);
  expect(await relay.runOnce()).toBe(1);
  expect(await written()).toBe(6);
  allow(1);
  await until(isRead);
  expect(await world.find(lost)).toMatchObject({ v: 1, outbox: [] });
});

it('resends a lost command after the first gap if none waits before it, and not before the next gap', async () => {
  await world.admit();
  world.clock.advance(world.resendMs);
  expect([await relay.runOnce(), await written()]).toEqual([1, 1]);
  world.clock.advance(2 * world.resendMs - 1);
  expect([await relay.runOnce(), await written()]).toEqual([0, 1]);
});

it('sends it after two minutes, however far behind the request service is, and not again before the longest gap', async () => {
  await create();
  await world.admit();
  world.clock.advance(world.resendMs + LOST_AFTER_MS - 1);
  expect(await relay.runOnce()).toBe(0);
  world.clock.advance(1);
  expect(await relay.runOnce()).toBe(2);
  world.clock.advance(2 * world.resendMs + world.longestGapMs - 1);
  expect(await relay.runOnce()).toBe(0);
  world.clock.advance(1);
  expect(await relay.runOnce()).toBe(2);
});

describe('the consumer lag', () => {
  type Standing = Pick<PartitionLag, 'lag' | 'end'>;
  const noRight = () => Promise.reject(new Error('planted'));
  let warned: LogFields[];
  const seconds = (count: number) => new Date(world.clock.now().getTime() + count * 1_000);
  const answeredBy = (lag: (topic: string) => Promise<Standing>, keepMs = 0) => {
    const log = { ...silentLogger, warn: (fields: LogFields) => void warned.push(fields) };
    return new AnsweredCommands(
      { lag: async (_group, [topic = '']) => [{ topic, partition: 0, ...(await lag(topic)) }] },
      { log, keepMs },
    );
  };
  beforeEach(() => {
    warned = [];
  });

  it('resends by time alone while the lag is unknown, and logs that once', async () => {
    let lag: () => Promise<Standing> = noRight;
    const answered = answeredBy(() => lag());
    for (const count of [0, 1, 2]) expect(await answered.answeredUntil(seconds(count))).toEqual(seconds(count));
    expect(warned.length).toBe(1);
    expect(JSON.stringify(warned)).not.toContain('planted');
    lag = () => Promise.resolve({ lag: 1, end: '1' });
    expect(await answered.answeredUntil(seconds(3))).toEqual(new Date(0));
    lag = noRight;
    await answered.answeredUntil(seconds(4));
    expect(warned.length).toBe(2);
  });

  it('is read again only once it is as old as the first gap', async () => {
    let asked = 0;
    const answered = answeredBy(() => Promise.resolve({ lag: 0, end: String((asked += 1)) }), 5_000);
    for (const count of [0, 1, 4]) expect(await answered.answeredUntil(seconds(count))).toEqual(seconds(0));
    expect(asked).toBe(2);
    expect(await answered.answeredUntil(seconds(5))).toEqual(seconds(5));
    expect(asked).toBe(4);
  });

  it('starts again if a topic ends before its earlier end, as after a restore', async () => {
    let standing: Standing = { lag: 10, end: '100' };
    const answered = answeredBy(() => Promise.resolve(standing));
    expect(await answered.answeredUntil(seconds(0))).toEqual(new Date(0));
    standing = { lag: 0, end: '5' };
    expect(await answered.answeredUntil(seconds(1))).toEqual(seconds(1));
  });
});
