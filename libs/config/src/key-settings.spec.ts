import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkGenerations,
  checkMasterKey,
  checkRotation,
  generationSettings,
  keySourceOf,
  masterKeySettings,
  rotationSettings,
} from './key-settings';
import { type Environment, readSettings } from './read-settings';
import { storeSettings } from './store-settings';
import { timingSettings } from './timing-settings';

const table = {
  ...timingSettings('production'),
  ...storeSettings,
  ...masterKeySettings,
  ...generationSettings,
  ...rotationSettings,
};
const read = (env: Environment) => readSettings(table, env);
const check = (env: Environment) => {
  const values = read(env);
  return [...checkMasterKey(values, false), ...checkGenerations(values), ...checkRotation(values)];
};
const DAY_MS = 86_400_000;
const servers = { KAFKA_BROKERS: 'k:9092', MONGODB_URI: 'mongodb://m/' };
const key = { MASTER_KEY_FILE: __filename };
const transit = { KEY_SERVICE: 'transit', KEY_SERVICE_URL: 'https://vault:8200', KEY_SERVICE_TOKEN_FILE: __filename };

const awsKms = { KEY_SERVICE: 'aws-kms', KEY_SERVICE_REGION: 'eu-west-1' };

describe('the settings of keys', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'generations-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each<[string, Environment & { readonly named?: 'yes' }, number, string | undefined]>([
    ['embedded stores', {}, 7 * DAY_MS, 'in the folder of the stores'],
    ['servers and a folder', { ...servers, named: 'yes' }, 7 * DAY_MS, 'in the folder named'],
    ['servers and a key service', { ...servers, ...transit }, 7 * DAY_MS, undefined],
    ['servers and AWS KMS', { ...servers, ...awsKms }, 7 * DAY_MS, undefined],
    ['servers alone', servers, 0, undefined],
    ['a sandbox on embedded stores', { TIMING_PROFILE: 'sandbox' }, DAY_MS / 24, 'in the folder of the stores'],
  ])('rotate generations only where deletion is real: %s', (_form, { named, ...env }, everyMs, place) => {
    const values = read({ ...key, ...env, ...(named && { KEY_GENERATION_FOLDER: folder }) });
    expect(values.KEY_GENERATION_MS).toBe(everyMs);
    const expected = {
      'in the folder of the stores': join('data', 'keys', 'generations'),
      'in the folder named': folder,
    };
    expect(keySourceOf(values).generationFolder).toBe(place && expected[place as keyof typeof expected]);
    expect(check({ ...key, ...env, ...(named && { KEY_GENERATION_FOLDER: folder }) })).toEqual([]);
  });

  it.each<[Environment, RegExp[]]>([
    [{ ...servers, ...key, KEY_GENERATION_MS: '7d' }, [/^KEY_GENERATION_MS: needs a KEY_SERVICE .* oplog/]],
    [{ ...key, KEY_GENERATION_KEEP_MS: '7d' }, [/^KEY_GENERATION_KEEP_MS: must be shorter than .* 7d$/]],
    [
      { ...key, ...transit, KEY_GENERATION_FOLDER: '/tmp' },
      [/^KEY_GENERATION_FOLDER: must not be set with KEY_SERVICE transit/],
    ],
    [
      { KEY_SERVICE: 'transit' },
      ['MASTER_KEY_FILE', 'KEY_SERVICE_URL', 'KEY_SERVICE_TOKEN_FILE'].map(
        (name) => new RegExp(`^${name}: must be set with`),
      ),
    ],
    [{ ...key, KEY_SERVICE_URL: 'https://vault' }, [/^KEY_SERVICE_URL: needs KEY_SERVICE transit or aws-kms$/]],
    [
      { ...key, ...awsKms, KEY_SERVICE_TOKEN_FILE: __filename },
      [/^KEY_SERVICE_TOKEN_FILE: needs KEY_SERVICE transit$/],
    ],
    [
      { ...key, ...transit, KEY_SERVICE_REGION: 'eu-west-1', KEY_SERVICE_CREDENTIALS_FILE: __filename },
      ['REGION', 'CREDENTIALS_FILE'].map((name) => new RegExp(`^KEY_SERVICE_${name}: needs KEY_SERVICE aws-kms$`)),
    ],
    [
      { KEY_SERVICE: 'aws-kms' },
      ['MASTER_KEY_FILE', 'KEY_SERVICE_REGION'].map(
        (name) => new RegExp(`^${name}: must be set with KEY_SERVICE aws-kms$`),
      ),
    ],
    [{}, [/^MASTER_KEY_FILE: must be set$/]],
    ...['http://vault:8200', 'http://127.0.0.1.example.com', 'http://localhost.example.com:1'].flatMap(
      (url): [Environment, RegExp[]][] =>
        [transit, awsKms].map((service) => [
          { ...key, ...service, KEY_SERVICE_URL: url },
          [/^KEY_SERVICE_URL: must be an https address$/],
        ]),
    ),
  ])('refuse what cannot work: %j', (env, faults) => {
    expect(check(env)).toEqual(faults.map((fault) => expect.stringMatching(fault) as string));
  });

  it.each(['http://127.0.0.1:8200', 'http://localhost:8200', 'http://[::1]:8200', 'https://vault'])(
    'take %s: no wire that others read',
    (url) => {
      expect(check({ ...key, ...transit, KEY_SERVICE_URL: url })).toEqual([]);
    },
  );

  it('take any address in a sandbox', () => {
    expect(check({ ...key, ...transit, KEY_SERVICE_URL: 'http://vault:8200', TIMING_PROFILE: 'sandbox' })).toEqual([]);
  });

  it('may switch generations off', () => {
    expect(check({ ...key, KEY_GENERATION_MS: '0' })).toEqual([]);
  });
});
