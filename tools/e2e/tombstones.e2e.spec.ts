import { join } from 'node:path';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { openKeys, openVault, type KeySource } from '@opendsr-service/vault';
import { applyTopics, localUrl, makeInstallation, place, spawnPart, type Part, type Placed } from './installation';
import { withLog } from './operator';
import { suiteSettings, type Service } from './service';
import { startStandalone } from './standalone';
import type { Stores } from './stores';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_MONGODB_URI: mongodbUri } = process.env;
/** All but `request`, which opens no key. */
const PARTS: readonly Part[] = ['gateway', 'callback-dispatcher', 'ingestion', 'results'];

interface Keys extends Pick<Service, 'operatorEnv'> {
  readonly stores: Stores;
  readonly source: KeySource;
}

async function onKeys<T>({ stores }: Keys, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage('dataDir' in stores ? { ...stores, lock: false } : stores);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

const stored = async (storage: Storage) =>
  (await storage.database('keys')).collection<{ readonly _id: string }>('dataKeys');

/** Destroys a key and puts it back, as an older copy of the database does. Resolves with its id. */
const putBack = (keys: Keys): Promise<string> =>
  withLog(keys, ({ publisher }) =>
    onKeys(keys, async (storage) => {
      const opened = await openKeys(keys.source);
      const { vault } = await openVault(await storage.database('keys'), opened, Date.now, publisher);
      const { kid } = await vault.newKey('acme', 'archive');
      const copy = await (await stored(storage)).findOne({ _id: kid });
      if (!copy) throw new Error('the new key is not stored');
      await vault.destroy('acme', kid, 'archive');
      await (await stored(storage)).insertOne(copy);
      return kid;
    }),
  );

const isThere = (keys: Keys, kid: string): Promise<boolean> =>
  onKeys(keys, async (storage) => (await (await stored(storage)).countDocuments({ _id: kid })) === 1);

const title = 'a start of %s destroys again the keys that an older copy brought back';

it(title.replace('%s', 'standalone'), async () => {
  const service = await startStandalone();
  try {
    const folder = join(service.dataDir, 'keys');
    const source = { masterKeyFile: join(folder, 'master.key'), generationFolder: join(folder, 'generations') };
    const keys = { ...service, source };
    let kid = '';
    await service.restart({}, async () => {
      kid = await putBack(keys);
      expect(await isThere(keys, kid)).toBe(true);
    });
    await service.restart({}, async () => {
      expect(await isThere(keys, kid)).toBe(false);
    });
  } finally {
    await service.stop();
  }
});

if (kafkaBrokers && mongodbUri)
  describe('on real servers', () => {
    let installation: Awaited<ReturnType<typeof makeInstallation>>;
    let keys: Keys;
    let placed: readonly Placed[];
    beforeAll(async () => {
      installation = await makeInstallation({ kafkaBrokers, mongodbUri });
      const addresses = { PUBLIC_URL_V2: 'https://dsr.example', PUBLIC_URL_V1: 'https://gdpr.example' };
      const others = { RESULTS_URL: localUrl(1), INGESTION_URL: localUrl(1) };
      const { env, prefix } = installation;
      keys = {
        operatorEnv: { ...env, ...addresses, ...others, ...suiteSettings },
        stores: { mongodbUri, databasePrefix: `${prefix}_` },
        source: { masterKeyFile: env['MASTER_KEY_FILE'] ?? '' },
      };
      await applyTopics(env);
      placed = await place(PARTS);
    });
    afterAll(() => installation.remove());

    it.each(PARTS)(title, async (part) => {
      const kid = await putBack(keys);
      const one = placed.find((of) => of.part === part) as Placed;
      const child = spawnPart(one, { ...keys.operatorEnv, PORT_V1: String(one.portV1) });
      try {
        await child.ready(localUrl(one.adminPort));
        expect(await isThere(keys, kid)).toBe(false);
      } finally {
        await child.stop();
      }
    });
  });
else it.skip('on real servers', () => undefined);
