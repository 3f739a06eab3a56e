import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUIET_WHEN_IDLE, startServers } from './servers';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opendsr-servers-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A start script that notes its arguments, prints its ready line and writes a file when it is stopped. */
const serving = (name: string, ready: object) => `#!/usr/bin/env node
  process.on('SIGTERM', () => { require('node:fs').writeFileSync(${JSON.stringify(join(folder, `${name}.stopped`))}, 'yes'); process.exit(0); });
  require('node:fs').writeFileSync(${JSON.stringify(join(folder, `${name}.arguments`))}, process.argv.slice(2).join(' '));
  setInterval(() => {}, 1000);
  console.log(${JSON.stringify(JSON.stringify(ready))});
`;

const put = (name: string, content: string) => writeFile(join(folder, name), content, { mode: 0o755 });

const isStopped = (name: string) =>
  readFile(join(folder, `${name}.stopped`), 'utf8').then(
    (text) => text === 'yes',
    () => false,
  );

it('takes the servers that the environment names before any other', async () => {
  const servers = await startServers({
    DSR_TEST_KAFKA_BROKERS: 'k:1',
    DSR_TEST_MONGODB_URI: 'mongodb://m',
    DSR_TEST_SERVERS: folder,
  });
  expect(servers).toMatchObject({ kafkaBrokers: 'k:1', mongodbUri: 'mongodb://m' });
});

it('refuses one server without the other', async () => {
  await expect(startServers({ DSR_TEST_KAFKA_BROKERS: 'k:1', DSR_TEST_SERVERS: folder })).rejects.toThrow(
    'together or not at all',
  );
});

it('starts both scripts of the folder, hands out their addresses and stops both', async () => {
  await put('start-kafka', serving('kafka', { ready: true, broker: '127.0.0.1:1' }));
  await put('start-mongod', serving('mongod', { ready: true, uri: 'mongodb://127.0.0.1:2' }));
  const servers = await startServers({ DSR_TEST_SERVERS: folder }, QUIET_WHEN_IDLE);
  expect(servers).toMatchObject({ kafkaBrokers: '127.0.0.1:1', mongodbUri: 'mongodb://127.0.0.1:2', source: folder });
  expect(await readFile(join(folder, 'kafka.arguments'), 'utf8')).toBe(
    '--port 0 --set metadata.max.idle.interval.ms=0',
  );
  expect(await isStopped('kafka')).toBe(false);
  await servers?.stop();
  expect([await isStopped('kafka'), await isStopped('mongod')]).toEqual([true, true]);
});

it('starts a broker as it is by default where no setting is asked for, as the bench does', async () => {
  await put('start-kafka', serving('kafka', { ready: true, broker: '127.0.0.1:1' }));
  await put('start-mongod', serving('mongod', { ready: true, uri: 'mongodb://127.0.0.1:2' }));
  const servers = await startServers({ DSR_TEST_SERVERS: folder });
  await servers?.stop();
  expect(await readFile(join(folder, 'kafka.arguments'), 'utf8')).toBe('--port 0');
});

it('stops the one that runs when the other does not start', async () => {
  await put('start-kafka', '#!/bin/sh\nexit 3\n');
  await put('start-mongod', serving('mongod', { ready: true, uri: 'mongodb://127.0.0.1:2' }));
  await expect(startServers({ DSR_TEST_SERVERS: folder })).rejects.toThrow(/start-kafka ended with exit code 3/);
  expect(await isStopped('mongod')).toBe(true);
});

it('says which script is missing', async () => {
  await expect(startServers({ DSR_TEST_SERVERS: folder })).rejects.toThrow(/start-kafka/);
});
