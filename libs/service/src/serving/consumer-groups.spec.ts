import { openLog, type LogStrategy } from '@opendsr-service/messaging';
import { openStorage } from '@opendsr-service/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, type Clock } from '../clock';
import { silentLogger } from '../logger/logger';
import { openConsumerGroups } from './consumer-groups';

const named = (name: string, options?: ErrorOptions) => Object.assign(new Error('planted', options), { name });

async function opened(clock: Clock) {
  const folder = await mkdtemp(join(tmpdir(), 'groups-'));
  const storage = await openStorage({ dataDir: folder });
  const events = await openLog({ embedded: { file: join(folder, 'log.db') } });
  const connection = await storage.database('request');
  const groups = openConsumerGroups(
    {
      ...{ events, connection, clock },
      ...{ transports: { request: Symbol('request') }, redriveMs: 1_000, metricsMs: 1_000 },
    },
    { log: silentLogger, fatal: () => undefined },
  );
  const close = async () => {
    await events.close();
    await storage.close();
    await rm(folder, { recursive: true });
  };
  return { ...groups, connection, close };
}

const handlingOf = (consumer: unknown) => (consumer as LogStrategy).handling;

it.each([
  ['a store that is away', named('MongoNetworkError'), true],
  ['a key service that is away', named('KeyServiceAway'), true],
  ['one as a cause', new Error('sealing failed', { cause: named('KeyServiceAway') }), true],
  ['a key that is gone', named('RequestKeyGone'), false],
  ['a bug', new TypeError('planted'), false],
])('whether %s pauses consumption and parks nothing: %p', async (_what, error, isOutage) => {
  const { consumers, close } = await opened(new ManualClock(new Date(0)));
  expect(consumers.map((one) => handlingOf(one).isInfrastructureError(error))).toEqual([isOutage]);
  await close();
});

it('parks and redrives by the clock of the process', async () => {
  const start = new Date('2026-11-21T09:00:00Z');
  const clock = new ManualClock(start);
  const { consumers, pollers, connection, close } = await opened(clock);
  const record = {
    ...{ topic: 'planted', partition: 0, offset: '0', key: 'k', value: Buffer.from('odd') },
    ...{ headers: {}, timestampMs: 0 },
  };
  for (const one of consumers) await handlingOf(one).parking.park('request', record, 'odd');
  const parked = connection.collection<{ at: Date; redriveAt: Date }>('parked');
  expect(await parked.findOne({ group: 'request' })).toMatchObject({ at: start });
  await parked.updateOne({ group: 'request' }, { $set: { redriveAt: new Date(start.getTime() + 1) } });
  const redrive = pollers.find(({ name }) => name === 'redrive');
  expect(await redrive?.runOnce()).toBe(0);
  clock.advance(1);
  expect(await redrive?.runOnce()).toBe(1);
  await close();
});
