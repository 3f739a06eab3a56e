import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { showDurationMs } from './duration';
import { choice, durationMs, file, folder, text, url } from './parsers';
import { perProfile, type ComputedDefault, type Profile, type ReadSoFar, type Values } from './setting';
import { storesOf, type StoreValues } from './store-settings';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TEN_MINUTES_MS = 600_000;

/** The key that wraps all others; apps that seal or open personal data have it. */
export const masterKeySettings = {
  MASTER_KEY_FILE: file({
    meaning:
      'Holds the master key, 32 bytes as base64 or as 64 hexadecimal digits; with a KEY_SERVICE other than file, as ' +
      'that service has sealed it (dsr secrets seal). The sandbox makes its own in DATA_DIR.',
  }),
  KEY_SERVICE: choice(['file', 'transit', 'aws-kms'], {
    default: 'file',
    meaning:
      'Where the master key and the secrets of key generations are: in files, under keys of the transit ' +
      'engine of HashiCorp Vault or OpenBao, or under keys of AWS KMS.',
  }),
  KEY_SERVICE_URL: url({
    meaning:
      'Address of the key service, https://host:port; http only in the sandbox or on this machine, as of an agent ' +
      'beside the process. With aws-kms: AWS’s own in the region if not set.',
  }),
  KEY_SERVICE_REGION: text(
    { meaning: 'Region of aws-kms.' },
    /^[a-z0-9-]{1,32}$/,
    'lower-case letters, digits and hyphens',
  ),
  KEY_SERVICE_CREDENTIALS_FILE: file({
    meaning:
      'Credentials for aws-kms, as AWS’s shared credentials file with a profile default, read again each minute. ' +
      'If not set: those that the AWS SDK finds, such as a web identity token on Kubernetes.',
  }),
  KEY_SERVICE_CA_FILE: file({ meaning: 'Authorities that the key service’s certificate may come from, PEM.' }),
  KEY_SERVICE_TOKEN_FILE: file({
    meaning: 'Holds the token for transit. It is read at each call, so an agent may renew it.',
  }),
  KEY_SERVICE_MOUNT: text(
    { default: 'transit', meaning: 'Where the transit engine is mounted.' },
    /^[\w-]{1,64}(\/[\w-]{1,64}){0,4}$/,
    'a path without slashes at its ends',
  ),
  KEY_SERVICE_KEY: text(
    {
      default: 'opendsr',
      meaning:
        'Name of the key that seals the master key, with aws-kms its alias. Names of generations are this, ' +
        '-generation-, the id of the master key and the number.',
    },
    /^[a-z0-9-]{1,64}$/,
    'lower-case letters, digits and hyphens',
  ),
} as const;

/** Where the secrets of key generations are; apps that open the database `keys` have it. */
export const generationSettings = {
  KEY_GENERATION_FOLDER: folder({
    meaning:
      'Folder with the secrets of key generations, shared by all processes and outside of every database and ' +
      'its backups; the gateway writes in it. Embedded stores have one in DATA_DIR. Not with a KEY_SERVICE.',
  }),
} as const;

type MasterKeyValues = Values<typeof masterKeySettings>;
/** Without a profile as in production. */
type CheckedValues = MasterKeyValues & { readonly TIMING_PROFILE?: Profile };
type KeyValues = MasterKeyValues & Values<typeof generationSettings> & StoreValues;

const isRotating = (read: ReadSoFar): boolean =>
  read['KEY_GENERATION_FOLDER'] !== undefined ||
  read['KEY_SERVICE'] !== 'file' ||
  storesOf(read as unknown as StoreValues).kind === 'embedded';

const rotates: ComputedDefault<number> = {
  compute: (read) => (isRotating(read) ? perProfile(HOUR_MS, 7 * DAY_MS).compute(read) : 0),
  shown: (show) => `${perProfile(HOUR_MS, 7 * DAY_MS).shown(show)}; 0ms where the secrets of generations have no place`,
};

/** Of the process that rotates generations; stands after the settings of stores and keys. */
export const rotationSettings = {
  KEY_GENERATION_MS: durationMs({
    default: rotates,
    meaning:
      'How often workspace keys get a new generation, after which the secret of the old one is destroyed. ' +
      'Destroyed data keys then open from no copy of the database. 0: never.',
  }),
  KEY_GENERATION_KEEP_MS: durationMs({
    default: perProfile(TEN_MINUTES_MS, DAY_MS),
    meaning:
      'How long the secret of the old generation is kept after a new one began: until then the last backup of ' +
      'the database keys can be restored. Shorter than KEY_GENERATION_MS.',
  }),
} as const;

/** The times of the rotation, as libs/vault takes them. */
export const rotationTimes = (values: Values<typeof rotationSettings>) => ({
  everyMs: values.KEY_GENERATION_MS,
  keepMs: values.KEY_GENERATION_KEEP_MS,
});

const isSet = (values: object, name: string): boolean => (values as ReadSoFar)[name] !== undefined;

/** What a key service needs, and what is optional. */
const SERVICES = {
  file: { needs: [], takes: [] },
  transit: { needs: ['KEY_SERVICE_URL', 'KEY_SERVICE_TOKEN_FILE'], takes: ['KEY_SERVICE_CA_FILE'] },
  'aws-kms': {
    needs: ['KEY_SERVICE_REGION'],
    takes: ['KEY_SERVICE_URL', 'KEY_SERVICE_CREDENTIALS_FILE', 'KEY_SERVICE_CA_FILE'],
  },
} as const satisfies Record<MasterKeyValues['KEY_SERVICE'], { needs: readonly string[]; takes: readonly string[] }>;

const toldTo = ({ needs, takes }: (typeof SERVICES)[keyof typeof SERVICES]): readonly string[] => [...needs, ...takes];

const THIS_MACHINE = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

/** Whether the master key would go over a wire that others read. */
const isReadByOthers = ({ KEY_SERVICE_URL: url = '', TIMING_PROFILE }: CheckedValues): boolean =>
  TIMING_PROFILE !== 'sandbox' && url.startsWith('http://') && !THIS_MACHINE.test(url);

/** Faults of the settings of the master key. `makesOwn`: whether the process can make a missing one. */
export function checkMasterKey(values: CheckedValues, makesOwn: boolean): string[] {
  const { KEY_SERVICE } = values;
  const service = SERVICES[KEY_SERVICE];
  const isMissing = (name: string) => !isSet(values, name);
  const unfit = new Set(Object.values(SERVICES).flatMap(toldTo));
  for (const name of toldTo(service)) unfit.delete(name);
  return [
    ...(KEY_SERVICE === 'file' && !makesOwn ? ['MASTER_KEY_FILE'].filter(isMissing) : []).map(
      (name) => `${name}: must be set`,
    ),
    ...(KEY_SERVICE === 'file' ? [] : ['MASTER_KEY_FILE', ...service.needs].filter(isMissing)).map(
      (name) => `${name}: must be set with KEY_SERVICE ${KEY_SERVICE}`,
    ),
    ...[...unfit].filter((name) => isSet(values, name)).map((name) => `${name}: needs KEY_SERVICE ${servicesOf(name)}`),
    ...(isReadByOthers(values) ? ['KEY_SERVICE_URL: must be an https address'] : []),
  ];
}

const servicesOf = (setting: string): string =>
  Object.entries(SERVICES)
    .filter(([, service]) => toldTo(service).includes(setting))
    .map(([name]) => name)
    .join(' or ');

/** Of the standalone process, which makes a master key outside of the production profile. */
export const makesMasterKey = ({ TIMING_PROFILE }: { readonly TIMING_PROFILE: Profile }): boolean =>
  TIMING_PROFILE === 'sandbox';

/** Faults of the place for the secrets of generations. */
export const checkGenerations = ({ KEY_SERVICE, KEY_GENERATION_FOLDER }: KeyValues): string[] =>
  KEY_SERVICE !== 'file' && KEY_GENERATION_FOLDER !== undefined
    ? [`KEY_GENERATION_FOLDER: must not be set with KEY_SERVICE ${KEY_SERVICE}, which keeps the secrets itself`]
    : [];

/** Faults of the rotation in the process that does it. */
export function checkRotation(values: KeyValues & Values<typeof rotationSettings>): string[] {
  const { KEY_GENERATION_MS: everyMs, KEY_GENERATION_KEEP_MS: keepMs, KEY_GENERATION_FOLDER } = values;
  if (everyMs === 0) return [];
  if (!isRotating(values))
    return [
      'KEY_GENERATION_MS: needs a KEY_SERVICE or KEY_GENERATION_FOLDER, because a secret in MongoDB would ' +
        'stay in its oplog beside the keys that it wraps',
    ];
  return [
    ...(keepMs >= everyMs
      ? [`KEY_GENERATION_KEEP_MS: must be shorter than KEY_GENERATION_MS, which is ${showDurationMs(everyMs)}`]
      : []),
    ...(KEY_GENERATION_FOLDER !== undefined && !isWritable(KEY_GENERATION_FOLDER)
      ? ['KEY_GENERATION_FOLDER: names a folder that the gateway cannot write in']
      : []),
  ];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The key service of the configuration, as libs/vault takes it; undefined: files. */
export function keyServiceOf(values: MasterKeyValues) {
  const common = { caFile: values.KEY_SERVICE_CA_FILE, key: values.KEY_SERVICE_KEY };
  switch (values.KEY_SERVICE) {
    case 'file':
      return undefined;
    case 'transit':
      return {
        ...common,
        type: 'transit' as const,
        url: values.KEY_SERVICE_URL as string,
        tokenFile: values.KEY_SERVICE_TOKEN_FILE as string,
        mount: values.KEY_SERVICE_MOUNT,
      };
    case 'aws-kms':
      return {
        ...common,
        type: 'aws-kms' as const,
        url: values.KEY_SERVICE_URL,
        region: values.KEY_SERVICE_REGION as string,
        credentialsFile: values.KEY_SERVICE_CREDENTIALS_FILE,
      };
  }
}

/** Where the master key and the secrets of generations are, as libs/vault takes it. */
export const keySourceOf = (values: KeyValues) => ({
  masterKeyFile: values.MASTER_KEY_FILE ?? join(values.DATA_DIR, 'keys', 'master.key'),
  makesOwn: values.MASTER_KEY_FILE === undefined,
  service: keyServiceOf(values),
  generationFolder:
    values.KEY_GENERATION_FOLDER ??
    (values.KEY_SERVICE === 'file' && storesOf(values).kind === 'embedded'
      ? join(values.DATA_DIR, 'keys', 'generations')
      : undefined),
});
