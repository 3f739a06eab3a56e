import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpSettings, processSettings, readSettings, storeSettings } from '@opendsr-service/config';
import { TOPICS } from '@opendsr-service/contracts';
import { createLogger } from '../logger/logger';
import { openStores } from './open-stores';
import { serveOnStores } from './serve-on-stores';

it('makes the topics, opens their producer before other steps, shows the stores, and closes them at the end', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'serve-on-stores-'));
  const values = readSettings(
    { ...httpSettings, ...processSettings, ...storeSettings },
    { HOST: '127.0.0.1', ADMIN_PORT: '0', DATA_DIR: dataDir, METRICS_INTERVAL_MS: '50ms' },
  );
  const host = {
    log: createLogger('test', 'error'),
    fatal: jest.fn(),
    waitFor: <T>(_what: string, attempt: () => Promise<T>) => attempt(),
  };
  const stores = await openStores(values, 'test', host);
  const opened = jest.spyOn(stores.events, 'openPublisher');
  const steps: unknown[] = [];
  const running = await serveOnStores(values, host, stores, {
    services: [],
    publishes: [TOPICS.commands],
    prepare: [{ name: 'own', run: () => void steps.push(opened.mock.calls[0]?.[0]) }],
  });
  expect(steps).toEqual([[TOPICS.commands.name]]);
  const readAt = async (path: string) => (await fetch(`http://127.0.0.1:${running.adminPort}${path}`)).text();
  expect(JSON.parse(await readAt('/readyz'))).toMatchObject({
    status: 'ok',
    checks: { publishing: true, storing: true },
  });
  expect(await readAt('/metrics')).toContain('opendsr_data_folder_free_bytes');
  const publish = () =>
    stores.events.publisher.publish(TOPICS.commands.name, [{ key: 'a', value: Buffer.from('{}'), headers: {} }]);
  await publish();
  expect(await running.stop()).toBe(true);
  await expect(publish()).rejects.toThrow();
  rmSync(dataDir, { recursive: true });
});
