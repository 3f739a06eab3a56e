import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './child-service';
import { freePorts } from './free-ports';
import { itInFull } from './full';
import { localUrl } from './installation';
import { dropDatabases } from './kept-documents';
import { dropTopics } from './kept-records';
import { promisedIn, scriptOf, statusesOf } from './page-script';
import { repository } from './repository';
import { suiteSettings } from './service';
import { spawnStandalone } from './standalone';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers = '', DSR_TEST_MONGODB_URI: mongodbUri = '' } = process.env;

const pageOf = (name: string): Promise<string> => readFile(repository(`docs/guides/${name}.md`), 'utf8');
/** Two scripts of a page, each with its own limit, and the service between them. */
const GUIDE_MS = 400_000;
/** What a reader sees in the clone in which he types. */
const clone = Object.fromEntries(
  ['apps', 'libs', 'tools', 'node_modules'].map((folder) => [folder, repository(folder)]),
);

/** Topics and databases of one test, removed after it. */
async function withStores(work: (stores: Environment, dataDir: string) => Promise<void>): Promise<void> {
  const prefix = `guide-${randomBytes(4).toString('hex')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'opendsr-guide-'));
  try {
    await work(
      {
        KAFKA_BROKERS: kafkaBrokers,
        MONGODB_URI: mongodbUri,
        KAFKA_TOPIC_PREFIX: `${prefix}.`,
        MONGODB_DATABASE_PREFIX: `${prefix}_`,
      },
      dataDir,
    );
  } finally {
    await dropDatabases(mongodbUri, `${prefix}_`);
    await dropTopics(kafkaBrokers, `${prefix}.`);
    await rm(dataDir, { recursive: true });
  }
}

// Without real servers `npm test` prints one line, or fails if they are required.
(kafkaBrokers && mongodbUri ? describe : describe.skip)('the guides on real servers', () => {
  itInFull(
    'docs/guides/downstream.md: a team sees a request go by, and does its share of an erasure',
    () =>
      withStores(async (stores, dataDir) => {
        const [port = 0, adminPort = 0] = await freePorts(2);
        const place = { links: { ...clone, data: dataDir }, env: stores };
        const page = (await pageOf('downstream'))
          .replaceAll('http://localhost:8080', localUrl(port))
          .replaceAll('http://localhost:9090', localUrl(adminPort))
          .replaceAll('<key>:<secret>', 'guide-key:guide-secret-of-the-sandbox');
        const [before = '', after = ''] = page.split('\nnpm start\n').map(scriptOf);
        const settings = {
          TOPIC_REPLICATION: '1',
          TOPIC_MIN_ISR: '1',
          SANDBOX_KEY: 'guide-key',
          SANDBOX_SECRET: 'guide-secret-of-the-sandbox',
          DATA_DIR: dataDir,
        };

        expect(await statusesOf(before, place)).toEqual([]);
        const service = spawnStandalone({
          ...suiteSettings,
          ...stores,
          ...settings,
          HOST: '127.0.0.1',
          PORT: String(port),
          ADMIN_PORT: String(adminPort),
        });
        try {
          await service.ready(localUrl(adminPort));
          // Variables from before the start stay set in the reader's shell.
          expect(await statusesOf(`${before}\n${after}`, place)).toEqual(promisedIn(after));
        } finally {
          await service.stop();
        }
      }),
    GUIDE_MS,
  );

  itInFull(
    'docs/guides/platform.md: five services from nothing, a controller and its request, and what the operator sees of it',
    () =>
      withStores(async (stores) => {
        const named = ['8080', '8082', '9101', '9102', '9103', '9104', '9105'];
        const free = await freePorts(named.length);
        const script = named.reduce(
          (text, port, n) => text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(free[n])),
          scriptOf(await pageOf('platform')),
        );
        expect(await statusesOf(script, { links: clone, env: stores })).toEqual(promisedIn(script));
      }),
    GUIDE_MS,
  );
});
