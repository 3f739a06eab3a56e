import { join } from 'node:path';
import {
  commands,
  deliveryEvents,
  messageId,
  requestEvents,
  TOPICS,
  type DeliveryEvent,
} from '@opendsr-service/contracts';
import { openLog, ParkedStore, type EventLog } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { processSettings, readSettings } from '@opendsr-service/config';
import {
  createLogger,
  replicationOf,
  serveMounted,
  systemClock,
  topicsStep,
  type RunningProcess,
} from '@opendsr-service/service';
import {
  callbackDispatcherTable,
  checkCallbackDispatcher,
  checkDispatchTimes,
  dispatchLimits,
  dispatchTimes,
  longestTryMs,
} from './callback-dispatcher.config';
import { mountCallbackDispatcher } from './callback-dispatcher.module';
import { statuses } from './testing/receiver';
import { makeIdentity, type Identity } from './testing/identity';
import { openWorld, SRID, WS, type World } from './testing/world';

const table = { ...callbackDispatcherTable, ...processSettings };

describe('the service', () => {
  let identity: Identity;
  let world: World;
  let events: EventLog;
  let running: RunningProcess;
  let died: unknown;

  beforeAll(async () => {
    identity = await makeIdentity(new Date());
  });
  afterAll(() => {
    identity.remove();
  });

  beforeEach(async () => {
    world = await openWorld(identity);
    events = await openLog({ embedded: { file: join(world.dataDir, 'log.db') } });
    world.way.deliver = (event) => events.publisher.publish(TOPICS.requestEvents.name, [requestEvents.encode(event)]);
    const values = readSettings(table, {
      ...{ TIMING_PROFILE: 'sandbox', PORT: '1', ADMIN_PORT: '0', CALLBACK_TICK_MS: '20ms', WORKER_POLL_MS: '10ms' },
      CALLBACK_CA_FILE: identity.certificates.authorityFile,
    });
    const log = createLogger('test', 'debug', { write: (line) => void world.lines.push(line) });
    const { storage, keys } = world;
    const dispatcher = await mountCallbackDispatcher(
      { storage, events, ...keys, signers: identity.signers, clock: systemClock, log },
      values,
    );
    died = undefined;
    running = await serveMounted(
      values,
      { log, fatal: (error) => void (died = error) },
      {
        services: [dispatcher],
        prepare: [topicsStep(events, replicationOf(values), log)],
        closing: [{ name: 'log', run: () => events.close() }],
      },
    );
  });
  afterEach(async () => {
    // What is open is closed before anything is expected of it: left open, it would keep the run from ending.
    const isStopped = await running.stop();
    await world.close();
    expect([isStopped, died]).toEqual([true, undefined]);
  });

  const heard = (count: number) =>
    new Promise<void>((resolve) => {
      world.receiver.answer = () => {
        if (world.receiver.heard.length === count) resolve();
        return 202;
      };
    });

  it('sends a callback for each event of the log, in order', async () => {
    const all = heard(3);
    await world.admit(['/dsr']);
    await world.begin();
    await world.complete();
    await all;
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress', 'completed']);
  });

  it('counts attempts and given-up callbacks for operators', async () => {
    world.receiver.answer = () => 410;
    await world.admit(['/dsr']);
    await readEvents((published) => published.some(({ type }) => type === 'CallbackGivenUp'));
    const text = await (await fetch(`http://127.0.0.1:${running.adminPort}/metrics`)).text();
    for (const line of [
      'opendsr_callback_attempts_total{outcome="gone"} 1',
      'opendsr_callbacks_given_up_total{reason="gone"} 1',
    ])
      expect(text).toContain(line);
  });

  const readEvents = async (until_: (published: readonly DeliveryEvent[]) => boolean): Promise<DeliveryEvent[]> => {
    const published: DeliveryEvent[] = [];
    const consumer = await events.consume({
      ...{
        group: 'reader',
        topics: [TOPICS.deliveryEvents.name],
        parking: new ParkedStore(world.connection),
        isInfrastructureError: () => false,
        onFatal: (error) => void (died = error),
      },
      handle: (records) => {
        published.push(...records.map((record) => deliveryEvents.decode(record)));
        return Promise.resolve(records.map(() => 'done' as const));
      },
    });
    await until(() => until_(published));
    await consumer.close();
    return published;
  };

  it('publishes every attempt, and DestinationSettled after the last delivery of a request', async () => {
    await world.admit(['/dsr']);
    await world.begin();
    await world.complete();
    const published = await readEvents((so) => so.some(({ type }) => type === 'DestinationSettled'));
    expect(
      published.flatMap((event) => (event.type === 'CallbackAttempted' ? [`${event.status} ${event.outcome}`] : [])),
    ).toEqual(['pending delivered', 'in_progress delivered', 'completed delivered']);
    expect(published.at(-1)).toMatchObject({
      type: 'DestinationSettled',
      ws: WS,
      srid: SRID,
      destination: (await world.destination()).destination,
      outcome: 'delivered',
    });
  });

  it('handles the command to replay a callback, and leaves other commands to the request service', async () => {
    await world.admit(['/dsr']);
    const [queued] = await readEvents((published) => published.some(({ type }) => type === 'CallbackAttempted'));
    if (queued?.type !== 'CallbackQueued') throw new Error('nothing was queued');
    const { ws, srid, at, destination, delivery, version } = queued;
    const again = heard(2);
    const others = commands.encode({ type: 'CancelRequest', id: messageId('cancel'), ws, srid, seq: 2, at });
    await events.publisher.publish(TOPICS.commands.name, [
      others,
      commands.encode({
        type: 'ReplayCallback',
        id: messageId('replay'),
        ws,
        srid,
        at,
        destination,
        delivery,
        version,
      }),
    ]);
    await again;
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'pending']);
  });

  it.each([
    ['that is no JSON', 'ann@example.com'],
    ['without what it must have', '{"type":"RequestReceived","ws":"ann@example.com"}'],
    [
      'with a wrong value',
      '{"type":"RequestCancelled","id":"ann@example.com","ws":"acme","srid":"ann@example.com","version":2,' +
        '"commandSeq":2,"at":"ann@example.com"}',
    ],
  ])('parks a record aside %s, continues, and logs nothing of its content', async (_what, value) => {
    const one = heard(1);
    const type = value.includes('Cancelled') ? 'RequestCancelled' : 'RequestReceived';
    await events.publisher.publish(TOPICS.requestEvents.name, [
      { key: 'acme:x', value, headers: { ce_type: `org.opendsr-service.${type}.v1` } },
    ]);
    await world.admit(['/dsr']);
    await one;
    const parked = await world.connection.collection<{ key: string; reason: string }>('parked').find({}).toArray();
    expect(parked.map(({ key }) => key)).toEqual(['acme:x']);
    for (const text of [...parked.map(({ reason }) => reason), ...world.lines])
      expect(text).not.toContain('ann@example.com');
  });
});

describe('the settings', () => {
  it('have the times of the interface in production', () => {
    const values = readSettings(table, {});
    expect(dispatchTimes(values)).toEqual({
      tickMs: 15 * 60_000,
      spreadMs: 60_000,
      retryGapsMs: [15, 30, 60, 120, 240, 480, 960].map((n) => n * 60_000),
      giveUpAfterMs: 7 * 86_400_000,
    });
    expect(
      dispatchTimes(readSettings(table, { CALLBACK_RETRY_GAPS_MS: '1min,2h', CALLBACK_GIVE_UP_MS: '3d' })),
    ).toMatchObject({ retryGapsMs: [60_000, 7_200_000], giveUpAfterMs: 3 * 86_400_000 });
    expect(dispatchTimes(readSettings(table, { TIMING_PROFILE: 'sandbox' })).retryGapsMs).toEqual(
      [1, 2, 4, 8, 16, 32].map((n) => n * 1_000),
    );
  });

  it.each([
    ['CALLBACK_SLOW_MS', '0', 'must be at least 50ms'],
    ['CALLBACK_SLOW_MS', '49ms', 'must be at least 50ms'],
    ['CALLBACK_BREAKER_PAUSE_MS', '0', 'must be at least 50ms'],
    ['CALLBACK_RETRY_GAPS_MS', '0', 'must be durations longer than 0, none shorter than the one before'],
    ['CALLBACK_RETRY_GAPS_MS', '15min,0', 'must be durations longer than 0, none shorter than the one before'],
    ['CALLBACK_RETRY_GAPS_MS', '15min,15s', 'must be durations longer than 0, none shorter than the one before'],
    ['CALLBACK_GIVE_UP_MS', '0', 'must be longer than 0, and not shorter than the first of CALLBACK_RETRY_GAPS_MS'],
    ['CALLBACK_GIVE_UP_MS', '14min', 'must be longer than 0, and not shorter than the first of CALLBACK_RETRY_GAPS_MS'],
  ])('refuse %s=%s, which allows no pause and no retry', (name, value, fault) => {
    expect(checkDispatchTimes(readSettings(table, { [name]: value }))).toEqual([`${name}: ${fault}`]);
  });

  it('limit each host and all hosts, and set a lease slightly longer than an attempt and its wait', () => {
    expect(dispatchLimits(readSettings(table, {}))).toEqual({
      concurrency: 64,
      slowConcurrency: 256,
      hostConcurrency: 8,
      slowMs: 2_000,
      breaker: { failures: 5, pauseMs: 30_000 },
      leaseMs: 29_000,
      tryMs: 17_000,
    });
    const own = {
      CALLBACK_TIMEOUT_MS: '20s',
      CALLBACK_SLOW_MS: '5s',
      CALLBACK_HOST_CONCURRENCY: '2',
      CALLBACK_BREAKER_FAILURES: '9',
      CALLBACK_BREAKER_PAUSE_MS: '1min',
    };
    expect(dispatchLimits(readSettings(table, own))).toMatchObject({
      hostConcurrency: 2,
      slowMs: 5_000,
      breaker: { failures: 9, pauseMs: 60_000 },
      leaseMs: 40_000,
      tryMs: 22_000,
    });
  });

  it('publish an unreachable attempt when the longest one would have ended, its wait included', () => {
    expect(longestTryMs(readSettings(table, {}))).toBe(19_000);
    expect(longestTryMs(readSettings(table, { CALLBACK_TIMEOUT_MS: '20s', CALLBACK_SLOW_MS: '5s' }))).toBe(30_000);
  });

  it('spread callbacks over less than a tick', () => {
    expect(dispatchTimes(readSettings(table, { CALLBACK_TICK_MS: '1s' })).spreadMs).toBe(0);
    expect(checkDispatchTimes(readSettings(table, {}))).toEqual([]);
    expect(checkDispatchTimes(readSettings(table, { CALLBACK_TICK_MS: '1min', CALLBACK_SPREAD_MS: '1min' }))).toEqual([
      'CALLBACK_SPREAD_MS: must be shorter than CALLBACK_TICK_MS',
    ]);
    expect(checkDispatchTimes(readSettings(table, { CALLBACK_TICK_MS: '0' }))).toEqual([
      'CALLBACK_TICK_MS: must be longer than 0',
    ]);
  });

  it('name all required settings of a process of its own', () => {
    const faults = checkCallbackDispatcher(readSettings(callbackDispatcherTable, {}));
    for (const name of [
      'MASTER_KEY_FILE',
      'SIGNING_KEY_FILE_V2',
      'SIGNING_CHAIN_FILE_V2',
      'SIGNING_KEY_FILE_V1',
      'SIGNING_CHAIN_FILE_V1',
      'KAFKA_BROKERS',
    ])
      expect(faults.join()).toContain(name);
  });
});
