import { commands, messageId, requestEvents, TOPICS } from '@opendsr-service/contracts';
import { ParkedStore, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { World } from '../testing/world';
import { Answered } from './answered.client';
import type { RelayWorker } from './relay.worker';

const CREATES_PER_SECOND = 3;
const SECONDS = 100;

let world: World;
let relay: RelayWorker;
let handled: number;
let allowed: number;
let mayGoOn: () => void;

/** The request service, which handles as many commands as it is allowed to, and the gateway's view of what it says. */
async function begin(): Promise<void> {
  const { log, connection } = world.parts;
  const rules = { parking: new ParkedStore(connection), isInfrastructureError: () => false, maxBatch: 1, onFatal: (error: Error) => { throw error; } };
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
    const event = { id: messageId(srid, 1), ws, srid, version: 1, commandSeq: 1, at: world.clock.now().toISOString(), type: 'RequestReceived', request } as const;
    if (!seen.has(srid)) await log.publisher.publish(TOPICS.requestEvents.name, [requestEvents.encode(event)]);
    seen.add(srid);
    handled += 1;
    return ['done'];
  };
  const apply = async ([record]: readonly LogRecord[]): Promise<Verdict[]> => [await world.view.apply(requestEvents.decode(record as LogRecord))];
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
const isRead = async () => (await Promise.all([total('request', TOPICS.commands.name), total('gateway', TOPICS.requestEvents.name)])).every(({ lag }) => lag === 0);
const create = async () => {
  const request = await world.admit();
  await world.outbox.send(request, world.waitMs);
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

it('hardly repeats a command while the request service comes behind under steady creates', async () => {
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

it('sends a lost command again once all that was before it was answered, and not before', async () => {
  for (let n = 0; n < 5; n += 1) await create();
  const lost = await world.admit();
  for (const seconds of [5, 60, 600]) {
    world.clock.advance(seconds * 1_000);
    expect(await relay.runOnce()).toBe(0);
  }
  allow(5);
  await until(isRead);
  expect(await relay.runOnce()).toBe(1);
  expect(await written()).toBe(6);
  allow(1);
  await until(isRead);
  expect(await world.find(lost)).toMatchObject({ v: 1, outbox: [] });
});

it('sends it at once where nothing waits for its turn, and again by the clock as long as no event comes', async () => {
  await world.admit();
  world.clock.advance(world.resendMs);
  expect([await relay.runOnce(), await written()]).toEqual([1, 1]);
  world.clock.advance(2 * world.resendMs - 1);
  expect([await relay.runOnce(), await written()]).toEqual([0, 1]);
});

it('sends it after the longest gap, however far behind the request service is', async () => {
  await create();
  await world.admit();
  world.clock.advance(world.resendMs + world.longestGapMs - 1);
  expect(await relay.runOnce()).toBe(0);
  world.clock.advance(1);
  expect(await relay.runOnce()).toBe(2);
});

it('goes by the clock alone where the log does not say how far the request service is', async () => {
  const now = world.clock.now();
  expect(await new Answered({ lag: () => Promise.reject(new Error('no right')) }).look(now)).toEqual(now);
});
