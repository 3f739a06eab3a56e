import { once } from 'node:events';
import fs, { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../logger/logger';
import { openEvents, openStores } from './open-stores';
import { kafkaSettings, readSettings, storeSettings } from '@opendsr-service/config';

/** Takes connections and ends them at once. */
async function hangingUp(): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

it('logs why nothing can be published, without the address', async () => {
  const broker = await hangingUp();
  const { port } = broker.address() as AddressInfo;
  let resolveLine: (line: string) => void;
  const logged = new Promise<string>((resolve) => (resolveLine = resolve));
  const log = createLogger('test', 'info', { write: (line) => line.includes('not known yet') && resolveLine(line) });
  const events = await openEvents(readSettings(kafkaSettings, { KAFKA_BROKERS: `127.0.0.1:${port}` }), 'test', log);
  const published = events.publisher
    .publish('dsr.commands.v1', [{ key: 'a', value: Buffer.from('planted'), headers: {} }])
    .catch((error: Error) => error.name);
  const line = await logged;
  await events.close();
  broker.close();
  expect(JSON.parse(line)).toMatchObject({ topic: 'dsr.commands.v1', error: { name: 'ConnectionFault' } });
  expect(line).not.toContain(String(port));
  expect(await published).toMatch(/^Publish/);
});

it('ends the process where an embedded database became unusable, which only a new one can open again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stores-'));
  const fatal = jest.fn();
  const { storage, closing } = await openStores(readSettings(storeSettings, { DATA_DIR: dataDir }), 'test', { fatal });
  const gateway = (await storage.database('gateway')).collection('planted');
  await gateway.insertOne({});
  jest.spyOn(fs, 'fdatasync').mockImplementationOnce((_fd, done) => done(new Error('EIO')));
  await expect(gateway.insertOne({})).rejects.toThrow('could not be flushed');
  await expect(gateway.insertOne({})).rejects.toThrow('could not be flushed');
  expect(fatal.mock.calls).toEqual([
    [expect.objectContaining({ message: 'gateway.sqlite-wal could not be flushed to disk' })],
  ]);
  for (const { run } of closing) await run();
  rmSync(dataDir, { recursive: true });
});
