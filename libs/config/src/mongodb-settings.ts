import type { StorageOptions } from '@opendsr-service/storage';
import { certificatesOfFile, identityOfFile, lineOfFile } from './file-contents';
import { text } from './parsers';
import { secureContext } from './secure-context';
import type { Values } from './setting';

const address = [/^mongodb(\+srv)?:\/\/\S+$/, 'a mongodb:// or mongodb+srv:// address'] as const;

/** Address of MongoDB and credentials for it. Files are read at the start. */
export const mongodbSettings = {
  MONGODB_URI: text(
    { isSecret: true, meaning: 'MongoDB connection string; may hold a password, so it is never printed.' },
    ...address,
  ),
  MONGODB_URI_FILE: lineOfFile({ meaning: 'File with the connection string, in place of MONGODB_URI.' }, ...address),
  MONGODB_CA_FILE: certificatesOfFile({
    meaning:
      'Authorities of MongoDB, PEM, trusted in addition to the public ones. With it, MongoDB is reached ' +
      'by TLS; so it is where the connection string says tls=true, or mongodb+srv. Its name and ' +
      'certificate are then always verified.',
  }),
  MONGODB_CLIENT_CERT_FILE: identityOfFile({
    meaning:
      'Client key (without a password) and certificate for MongoDB, in one PEM file. With it, MongoDB is reached by TLS.',
  }),
  MONGODB_DATABASE_PREFIX: text(
    { default: 'dsr_', meaning: 'Prefix of each database name.' },
    /^[A-Za-z0-9_-]{0,30}$/,
    'at most 30 letters, digits, _ or -',
  ),
} as const;

export type MongodbValues = Values<typeof mongodbSettings>;

export const mongodbUriOf = (values: MongodbValues): string | undefined =>
  values.MONGODB_URI ?? values.MONGODB_URI_FILE;

/** Decoded and in lower case, as the driver reads them. */
const optionsOf = (uri: string): (readonly [name: string, value: string])[] =>
  [...new URLSearchParams(uri.includes('?') ? uri.slice(uri.indexOf('?') + 1) : '')].map(([name, value]) => [
    name.toLowerCase(),
    value.toLowerCase(),
  ]);

const usesTls = (name: string): boolean => name === 'tls' || name === 'ssl';
/** Options that would turn verification off, or name files that were not checked. */
const isRefused = (name: string): boolean =>
  !usesTls(name) &&
  (/^(tls|ssl)/.test(name) ||
    ['rejectunauthorized', 'checkserveridentity', 'securecontext', 'servername'].includes(name));

/** Options that the driver would prefer to ours of the same meaning; it does not so with `w` and `readPreference`. */
const weakens = (name: string): boolean => ['j', 'journal', 'fsync', 'readconcernlevel'].includes(name);

/** Faults of the settings of MongoDB, none of which names a value. */
export function checkMongodb(values: MongodbValues): string[] {
  const name = values.MONGODB_URI_FILE === undefined ? 'MONGODB_URI' : 'MONGODB_URI_FILE';
  const options = optionsOf(mongodbUriOf(values) ?? '');
  const isOff = options.some(([option, value]) => usesTls(option) && value !== 'true');
  const needsTls = values.MONGODB_CA_FILE !== undefined || values.MONGODB_CLIENT_CERT_FILE !== undefined;
  return [
    ...(values.MONGODB_URI !== undefined && values.MONGODB_URI_FILE !== undefined
      ? ['MONGODB_URI and MONGODB_URI_FILE: set only one']
      : []),
    ...(options.some(([option]) => isRefused(option))
      ? [
          `${name}: must set nothing of TLS but tls=true; files are named by MONGODB_CA_FILE and ` +
            'MONGODB_CLIENT_CERT_FILE, and verification cannot be turned off',
        ]
      : []),
    ...(options.some(([option]) => weakens(option))
      ? [
          `${name}: must not set j, journal, fsync or readConcernLevel: a write is always acknowledged when a majority has ` +
            'it in its journal, and a read sees only such writes',
        ]
      : []),
    ...(needsTls && isOff
      ? [`${name}: must not turn TLS off where MONGODB_CA_FILE or MONGODB_CLIENT_CERT_FILE is set`]
      : []),
  ];
}

/** How the storage is opened on the MongoDB that the settings name. */
export function mongodbOptionsOf(values: MongodbValues, mongodbUri: string): StorageOptions {
  const { MONGODB_CA_FILE: authorities, MONGODB_CLIENT_CERT_FILE: identity } = values;
  const tls = authorities || identity ? secureContext(authorities, identity) : undefined;
  return { mongodbUri, databasePrefix: values.MONGODB_DATABASE_PREFIX, ...(tls && { tls }) };
}
