import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { issueCertificate, makeSandboxAuthority } from '@opendsr-service/signing';
import { kafkaOptionsOf } from './kafka-settings';
import { mongodbOptionsOf } from './mongodb-settings';
import { ConfigurationError, readSettings } from './read-settings';
import { checkStores, storeSettings, storesOf } from './store-settings';
import { timingSettings } from './timing-settings';

const table = { ...timingSettings('production'), ...storeSettings };
const secret = 'planted-word';
const uri = `mongodb://u:${secret}@m/`;
const files: Record<string, string> = {};
let dir: string;

const valuesOf = (env: Record<string, string>) =>
  readSettings(table, { KAFKA_BROKERS: 'k:9093', MONGODB_URI: uri, ...env }, (read) => checkStores(read, false));

/** The faults, none of which may hold a value; where the file of one is named, its name. */
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    valuesOf(env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.message).not.toContain('planted');
    return error.faults;
  }
  return [];
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'store-settings-'));
  const term = { days: 1, now: new Date() };
  const authority = await makeSandboxAuthority({ commonName: 'ca', ...term });
  const issue = (commonName: string) =>
    issueCertificate({ authority, commonName, dnsNames: [], usage: 'signing', ...term });
  const [client, other] = await Promise.all([issue('client'), issue('other')]);
  const contents = {
    ca: authority.certPem,
    key: client.keyPem,
    cert: client.certPem,
    otherKey: other.keyPem,
    both: client.certPem + client.keyPem,
    mixed: other.keyPem + client.certPem,
    password: `${secret}\r\n`,
    uri: `${uri}\n`,
    lines: `${secret}\n${secret}\n`,
    empty: '\n',
    broken: `-----BEGIN CERTIFICATE-----\n${secret}\n-----END CERTIFICATE-----\n`,
    word: secret,
  };
  for (const [name, content] of Object.entries(contents))
    writeFileSync((files[name] = join(dir, `planted-${name}`)), content);
});

afterAll(() => {
  rmSync(dir, { recursive: true });
});

const given = (names: Readonly<Record<string, string>>, more: Record<string, string> = {}) => ({
  ...more,
  ...Object.fromEntries(Object.entries(names).map(([setting, file]) => [setting, files[file] ?? file])),
});
const login = (more: Record<string, string> = {}) =>
  given(
    { KAFKA_SASL_PASSWORD_FILE: 'password' },
    { KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'dsr', ...more },
  );

describe('the settings of the stores', () => {
  it('reach Kafka by TLS and log in, with the password of a file whose last line ends', () => {
    const tls = given(
      { KAFKA_CA_FILE: 'ca', KAFKA_CLIENT_CERT_FILE: 'cert', KAFKA_CLIENT_KEY_FILE: 'key' },
      { KAFKA_TLS: 'true' },
    );
    const options = kafkaOptionsOf(valuesOf({ ...login(), ...tls }), 'test');
    expect(options).toMatchObject({
      brokers: ['k:9093'],
      clientId: 'test',
      sasl: { mechanism: 'scram-sha-512', username: 'dsr', password: secret },
    });
    expect(options.tls).toBeInstanceOf(createSecureContext().constructor);
    expect(kafkaOptionsOf(valuesOf({}), 'test')).toEqual({ brokers: ['k:9093'], clientId: 'test', topicPrefix: '' });
    expect(kafkaOptionsOf(valuesOf({ KAFKA_TLS: 'true' }), 'test').tls).toBeDefined();
  });

  it('take the connection string of MongoDB from a file, and TLS from what is trusted or shown', () => {
    const values = valuesOf({ MONGODB_URI: '', ...given({ MONGODB_URI_FILE: 'uri' }) });
    expect(storesOf(values)).toEqual({ kind: 'servers', brokers: ['k:9093'], mongodbUri: uri });
    expect(mongodbOptionsOf(values, uri)).toEqual({ mongodbUri: uri, databasePrefix: 'dsr_' });
    for (const env of [given({ MONGODB_CA_FILE: 'ca' }), given({ MONGODB_CLIENT_CERT_FILE: 'both' })])
      expect(mongodbOptionsOf(valuesOf(env), uri).tls).toBeDefined();
  });

  it.each([
    [{ KAFKA_CA_FILE: 'ca' }, 'KAFKA_CA_FILE: needs KAFKA_TLS to be true'],
    [
      { KAFKA_TLS: 'true', KAFKA_CLIENT_CERT_FILE: 'cert' },
      'KAFKA_CLIENT_CERT_FILE and KAFKA_CLIENT_KEY_FILE: set both, or neither',
    ],
    [
      { KAFKA_TLS: 'true', KAFKA_CLIENT_CERT_FILE: 'cert', KAFKA_CLIENT_KEY_FILE: 'otherKey' },
      'KAFKA_CLIENT_CERT_FILE and KAFKA_CLIENT_KEY_FILE: the key is not that of the certificate',
    ],
    [
      { KAFKA_TLS: 'true', KAFKA_CLIENT_KEY_FILE: 'cert' },
      'KAFKA_CLIENT_KEY_FILE: must hold one private key, PEM, that needs no password',
    ],
    [
      { KAFKA_SASL_MECHANISM: 'scram-sha-256' },
      'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD_FILE: set all, or none',
    ],
    [
      { KAFKA_SASL_PASSWORD_FILE: 'password' },
      'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD_FILE: set all, or none',
    ],
    [{ KAFKA_SASL_PASSWORD_FILE: 'lines' }, 'KAFKA_SASL_PASSWORD_FILE: must hold one line, text'],
    [{ KAFKA_SASL_PASSWORD_FILE: 'empty' }, 'KAFKA_SASL_PASSWORD_FILE: must hold one line, text'],
    [{ KAFKA_SASL_PASSWORD_FILE: '/planted' }, 'KAFKA_SASL_PASSWORD_FILE: names a file that cannot be read'],
    [{ MONGODB_URI_FILE: 'uri' }, 'MONGODB_URI and MONGODB_URI_FILE: set only one'],
    [{ MONGODB_URI_FILE: 'word' }, 'MONGODB_URI_FILE: must hold one line, a mongodb:// or mongodb+srv:// address'],
    [{ MONGODB_CA_FILE: '/' }, 'MONGODB_CA_FILE: names a file that cannot be read'],
    [{ MONGODB_CA_FILE: 'word' }, 'MONGODB_CA_FILE: must hold certificates, PEM'],
    [{ MONGODB_CA_FILE: 'broken' }, 'MONGODB_CA_FILE: must hold certificates, PEM'],
    [
      { MONGODB_CLIENT_CERT_FILE: 'cert' },
      'MONGODB_CLIENT_CERT_FILE: must hold a private key that needs no password and its certificate, PEM',
    ],
    [
      { MONGODB_CLIENT_CERT_FILE: 'mixed' },
      'MONGODB_CLIENT_CERT_FILE: must hold a private key that needs no password and its certificate, PEM',
    ],
    [
      { MONGODB_CA_FILE: 'ca', MONGODB_URI: `${uri}?tls=false` },
      'MONGODB_URI: must not turn TLS off where MONGODB_CA_FILE or MONGODB_CLIENT_CERT_FILE is set',
    ],
  ])('refuse %o in one line that holds no value', (env, fault) => {
    expect(faultsOf(given(env))).toEqual([fault]);
  });

  it.each([
    'tlsInsecure=true',
    'tlsallowinvalidcertificates=true',
    'tls=true&tlsAllowInvalidHostnames=true',
    'rejectUnauthorized=false',
    'tlsCAFile=/planted',
    'tls=true&%54lsInsecure=true',
    '%74ls%41llowInvalidHostnames=true',
    '%54lsCAFile=/planted',
  ])('let no connection string say %s', (options) => {
    expect(faultsOf({ MONGODB_URI: `${uri}?${options}` })).toEqual([
      expect.stringMatching(/^MONGODB_URI: must set nothing of TLS but tls=true/),
    ]);
    expect(faultsOf({ MONGODB_URI: `${uri}?tls=true` })).toEqual([]);
  });

  it.each(['j=false', 'journal=false', 'fsync=false', 'READCONCERNLEVEL=local', 'w=majority&%6Aournal=true'])(
    'let no connection string weaken writes and reads by %s',
    (options) => {
      expect(faultsOf({ MONGODB_URI: `${uri}?${options}` })).toEqual([
        expect.stringMatching(/^MONGODB_URI: must not set j, journal, fsync or readConcernLevel: /),
      ]);
      expect(faultsOf({ MONGODB_URI: `${uri}?w=majority&readPreference=primary` })).toEqual([]);
    },
  );

  it('send a password readable only by TLS, or in the sandbox', () => {
    const plain = login({ KAFKA_SASL_MECHANISM: 'plain' });
    expect(faultsOf(plain)).toEqual([expect.stringMatching(/^KAFKA_SASL_MECHANISM: plain needs KAFKA_TLS/)]);
    expect(faultsOf({ ...plain, KAFKA_TLS: 'true' })).toEqual([]);
    expect(faultsOf({ ...plain, TIMING_PROFILE: 'sandbox' })).toEqual([]);
    expect(faultsOf(login())).toEqual([]);
  });
});
