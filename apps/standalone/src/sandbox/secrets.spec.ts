import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Environment } from '@opendsr-service/config';
import { systemClock, type Logger, type LogFields } from '@opendsr-service/service';
import { checkStandalone, standaloneTable } from '../standalone.config';
import { openSecrets } from './secrets';

const warnings: { fields: LogFields; message: string }[] = [];
const silent = () => undefined;
const log: Logger = {
  debug: silent,
  info: silent,
  warn: (fields, message) => void warnings.push({ fields, message }),
  error: silent,
  fatal: silent,
};
const open = async (values: Parameters<typeof openSecrets>[0]) =>
  (await openSecrets(values, { clock: systemClock, log, waitFor: (_what, attempt) => attempt() })).signing;
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

const read = (env: Environment = {}) => readSettings(standaloneTable, { DATA_DIR: dataDir, ...env });
const certificates = (name: string) => join(dataDir, 'certificates', name);

it('signs both versions in a sandbox, each in its own name, and version 1 only where it is served', async () => {
  const { signers } = await open(read({ PROCESSOR_DOMAIN_V1: 'opengdpr.acme.test' }));
  expect([signers.v2.domain, signers.v1?.domain]).toEqual(['opendsr.localhost', 'opengdpr.acme.test']);
  expect(signers.v1?.certificatePem).not.toBe(signers.v2.certificatePem);
  expect((await open(read({ SERVE_V1: 'false' }))).signers.v1).toBeUndefined();
});

it('adds what version 1 needs to a data folder of before, whose version 2 stays as it is', async () => {
  const { signers: before } = await open(read());
  for (const name of ['v1.key', 'v1.pem']) rmSync(certificates(name));
  const { signers } = await open(read());
  expect(signers.v2.fingerprint).toBe(before.v2.fingerprint);
  expect(signers.v1?.fingerprint).not.toBe(before.v1?.fingerprint);
});

it('takes the files that are configured for one version, and makes those of the other', async () => {
  await open(read());
  const configured = {
    PROCESSOR_DOMAIN_V1: 'opendsr.localhost',
    SIGNING_KEY_FILE_V1: certificates('v2.key'),
    SIGNING_CHAIN_FILE_V1: certificates('v2.pem'),
  };
  const { signers } = await open(read(configured));
  expect(signers.v1?.fingerprint).toBe(signers.v2.fingerprint);
});

it('takes the rights of others away from the secrets of an earlier start', async () => {
  await open(read());
  const secret = join(dataDir, 'keys', 'master.key');
  chmodSync(dataDir, 0o755);
  chmodSync(secret, 0o644);
  await open(read());
  expect([dataDir, secret].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
});

it('says in the log that its authority is a throw-away one', async () => {
  warnings.length = 0;
  await open(read());
  expect(warnings).toEqual([
    {
      fields: { source: certificates('authority.pem') },
      message: expect.stringMatching(/throw-away authority/) as string,
    },
  ]);
});

it('makes a key of the transparency log once, under the name of its processor domain', async () => {
  const signerOf = async () =>
    (await openSecrets(read(), { clock: systemClock, log, waitFor: (_what, attempt) => attempt() })).logSigner;
  expect((await signerOf()).name).toBe('opendsr.localhost/transparency');
  expect((await signerOf()).verifierKey).toBe((await signerOf()).verifierKey);
});

it('wants a key of the transparency log in production', () => {
  const faults = checkStandalone(read({ TIMING_PROFILE: 'production', MASTER_KEY_FILE: __filename }));
  expect(faults).toContain('TRANSPARENCY_KEY_FILE: must be set in the production profile');
});

it('wants files for each version that is served in production', () => {
  const faults = (env: Environment) =>
    checkStandalone(
      read({ TIMING_PROFILE: 'production', MASTER_KEY_FILE: __filename, TRANSPARENCY_KEY_FILE: __filename, ...env }),
    );
  expect(faults({})).toHaveLength(2);
  expect(faults({ SERVE_V1: 'false', SIGNING_KEY_FILE_V2: __filename, SIGNING_CHAIN_FILE_V2: __filename })).toEqual([]);
});
