import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports';
import { localUrl } from './installation';
import { dropDatabases } from './kept-documents';
import { dropTopics } from './kept-records';
import { promisedIn, scriptOf, statusesOf } from './page-script';
import { repository } from './repository';
import { suiteSettings } from './service';
import { spawnStandalone } from './standalone';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers = '', DSR_TEST_MONGODB_URI: mongodbUri = '' } = process.env;

// Without real servers `npm test` says so in one line, or fails where they are required.
(kafkaBrokers && mongodbUri ? it : it.skip)('docs/guides/downstream.md: a team sees a request go by, and does its share of an erasure', async () => {
  const prefix = `guide-${randomBytes(4).toString('hex')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'opendsr-guide-'));
  const [port = 0, adminPort = 0] = await freePorts(2);
  const stores = { KAFKA_BROKERS: kafkaBrokers, MONGODB_URI: mongodbUri, KAFKA_TOPIC_PREFIX: `${prefix}.`, MONGODB_DATABASE_PREFIX: `${prefix}_` };
  const place = { links: { apps: repository('apps'), tools: repository('tools'), node_modules: repository('node_modules'), libs: repository('libs'), data: dataDir }, env: stores };
  const page = (await readFile(repository('docs/guides/downstream.md'), 'utf8'))
    .replaceAll('http://localhost:8080', localUrl(port))
    .replaceAll('http://localhost:9090', localUrl(adminPort))
    .replaceAll('<key>:<secret>', 'guide-key:guide-secret-of-the-sandbox');
  const [before = '', after = ''] = page.split('\nnpm start\n').map(scriptOf);
  const settings = { TOPIC_REPLICATION: '1', TOPIC_MIN_ISR: '1', SANDBOX_KEY: 'guide-key', SANDBOX_SECRET: 'guide-secret-of-the-sandbox', DATA_DIR: dataDir };

  expect(await statusesOf(before, place)).toEqual([]);
  const service = spawnStandalone({ ...suiteSettings, ...stores, ...settings, HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort) });
  try {
    await service.ready(localUrl(adminPort));
    // What is typed before the start stays set in the reader's shell.
    expect(await statusesOf(`${before}\n${after}`, place)).toEqual(promisedIn(after));
  } finally {
    await service.stop();
    await dropDatabases(mongodbUri, `${prefix}_`);
    await dropTopics(kafkaBrokers, `${prefix}.`);
    await rm(dataDir, { recursive: true });
  }
});
