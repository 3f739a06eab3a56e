import { join } from 'node:path';
import { requestEvents, TOPICS } from '@opendsr-service/contracts';
import { openLog, type Log as EventLog } from '@opendsr-service/messaging';
import { createLog, processSettings, readSettings, replicationOf, serveMounted, systemClock, topicsStep, type Running } from '@opendsr-service/runtime';
import { callbackDispatcherTable, callbackEgress, checkCallbackDispatcher, dispatchTimes } from './callback-dispatcher.config';
import { mountCallbackDispatcher } from './callback-dispatcher.module';
import { statuses } from './testing/receiver';
import { makeIdentity, openWorld, type Identity, type World } from './testing/world';

const table = { ...callbackDispatcherTable, ...processSettings };

describe('the service', () => {
  let identity: Identity;
  let world: World;
  let events: EventLog;
  let running: Running;
  let died: unknown;

  beforeAll(async () => { identity = await makeIdentity(new Date()); });
  afterAll(() => { identity.remove(); });

  beforeEach(async () => {
    world = await openWorld(identity);
    events = await openLog({ embedded: { file: join(world.dataDir, 'log.db') } });
    world.way.deliver = (event) => events.publisher.publish(TOPICS.requestEvents.name, [requestEvents.encode(event)]);
    const values = readSettings(table, {
      ...{ TIMING_PROFILE: 'sandbox', PORT: '1', ADMIN_PORT: '0', CALLBACK_TICK_MS: '20ms', WORKER_POLL_MS: '10ms' },
      CALLBACK_CA_FILE: identity.certificates.authorityFile,
    });
    const log = createLog('test', 'debug', { write: (line) => void world.lines.push(line) });
    const { storage, keys } = world;
    const dispatcher = await mountCallbackDispatcher({ storage, events, ...keys, signers: { v2: identity.signer }, clock: systemClock }, values);
    died = undefined;
    running = await serveMounted(values, { log, fatal: (error) => void (died = error) }, {
      services: [dispatcher],
      first: [topicsStep(events, replicationOf(values))],
      closing: [{ name: 'log', run: () => events.close() }],
    });
  });
  afterEach(async () => {
    expect(await running.stop()).toBe(true);
    expect(died).toBeUndefined();
    await world.close();
  });

  const heard = (count: number) =>
    new Promise<void>((resolve) => {
      world.receiver.answer = () => {
        if (world.receiver.heard.length === count) resolve();
        return 202;
      };
    });

  it('turns what stands in the log into callbacks, in order', async () => {
    const all = heard(3);
    await world.admit(['/dsr']);
    await world.begin();
    await world.complete();
    await all;
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress', 'completed']);
  });

  it('sets a record aside that is none of ours, and goes on', async () => {
    const one = heard(1);
    await events.publisher.publish(TOPICS.requestEvents.name, [{ key: 'acme:x', value: '{"type":"RequestReceived"}', headers: { ce_type: 'org.opendsr-service.RequestReceived.v1' } }]);
    await world.admit(['/dsr']);
    await one;
    const parked = await world.connection.collection('parked').find({}).toArray();
    expect(parked.map(({ key }) => key as unknown)).toEqual(['acme:x']);
  });
});

describe('the settings', () => {
  it('have the times of the interface in production, and the loopback closed', () => {
    const values = readSettings(table, {});
    expect(dispatchTimes(values)).toMatchObject({ tickMs: 15 * 60_000, giveUpAfterMs: 7 * 86_400_000 });
    expect(callbackEgress(values)).toEqual({ allowHosts: [], allowCidrs: [] });
  });

  it('let the sandbox call receivers on its own machine', () => {
    const values = readSettings(table, { TIMING_PROFILE: 'sandbox', CALLBACK_ALLOW_CIDRS: '10.0.0.0/8' });
    expect(callbackEgress(values)).toEqual({ allowHosts: ['localhost'], allowCidrs: ['10.0.0.0/8', '127.0.0.0/8', '::1'] });
  });

  it('name what a process of its own cannot do without', () => {
    const faults = checkCallbackDispatcher(readSettings(callbackDispatcherTable, {}));
    for (const name of ['MASTER_KEY_FILE', 'SIGNING_KEY_FILE_V2', 'SIGNING_CHAIN_FILE_V2', 'KAFKA_BROKERS']) expect(faults.join()).toContain(name);
  });
});
