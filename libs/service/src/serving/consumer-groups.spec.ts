import { openLog, type LogStrategy } from '@opendsr-service/messaging';
import { openStorage } from '@opendsr-service/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../clock';
import { silentLogger } from '../logger/logger';
import { openConsumerGroups } from './consumer-groups';

const named = (name: string, options?: ErrorOptions) => Object.assign(new Error('planted', options), { name });

it.each([
  ['a store that is away', named('MongoNetworkError'), true],
  ['a key service that is away', named('KeyServiceAway'), true],
  ['one as a cause', new Error('sealing failed', { cause: named('KeyServiceAway') }), true],
  ['a key that is gone', named('RequestKeyGone'), false],
  ['a bug', new TypeError('planted'), false],
])('whether %s pauses consumption and parks nothing: %p', async (_what, error, isOutage) => {
  const folder = await mkdtemp(join(tmpdir(), 'groups-'));
  const storage = await openStorage({ dataDir: folder });
  const events = await openLog({ embedded: { file: join(folder, 'log.db') } });
  const { consumers } = openConsumerGroups(
    {
      ...{ events, connection: await storage.database('request'), clock: new ManualClock(new Date(0)) },
      ...{ transports: { request: Symbol('request') }, redriveMs: 1_000, metricsMs: 1_000 },
    },
    { log: silentLogger, fatal: () => undefined },
  );
  const judged = consumers.map((one) => (one as LogStrategy).handling.isInfrastructureError(error));
  expect(judged).toEqual([isOutage]);
  await events.close();
  await storage.close();
  await rm(folder, { recursive: true });
});
