import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import {
  ensureSandboxCertificates,
  issueCertificate,
  makeSandboxAuthority,
  type KeyAndCertificate,
} from '@opendsr-service/signing';
import { say } from '../testing/say';
import { doctorCommand } from './doctor.command';

const now = new Date();
let authority: KeyAndCertificate;
let own: KeyAndCertificate;
let dir: string;
let authorityFile: string;

beforeAll(async () => {
  authority = await makeSandboxAuthority({ commonName: 'of the receiver', days: 1, now });
  own = await issueCertificate({
    authority,
    commonName: 'localhost',
    dnsNames: ['localhost'],
    usage: 'server',
    days: 1,
    now,
  });
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'doctor-'));
  authorityFile = join(dir, 'receivers.pem');
  writeFileSync(authorityFile, authority.certPem);
});
afterEach(() => rmSync(dir, { recursive: true }));

/** The line about a receiver with this certificate, without its name. */
async function egressTo(
  { keyPem: key, certPem: cert }: KeyAndCertificate,
  options = '',
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const server = createServer({ key, cert }, (socket) => socket.on('error', () => undefined).resume())
    .on('tlsClientError', () => undefined)
    .listen(0, 'localhost');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const { out } = await say(`doctor --to https://${host}/callbacks${options}`, {
    commands: [doctorCommand],
    env: { DATA_DIR: dir, ...env },
  });
  await once(server.close(), 'close');
  const [line = ''] = out.filter((one) => one.includes(`egress: ${host}`));
  return line.replace(`${host}: `, '');
}

const TRUSTED = 'ok    egress: the rules allow it, and its certificate is trusted';
const UNTRUSTED = /^FAIL {2}egress: it cannot be reached \(\w*(CERT|VERIFY|ISSUER|SIGN)\w*\) – .*CALLBACK_CA_FILE/;

it('trusts receivers as callbacks do: by the authority of CALLBACK_CA_FILE beside those of Node', async () => {
  expect(await egressTo(own)).toMatch(UNTRUSTED);
  expect(await egressTo(own, '', { CALLBACK_CA_FILE: authorityFile })).toBe(TRUSTED);
});

it('does not judge receivers by --trust, neither for nor against them', async () => {
  const other = join(dir, 'other.pem');
  writeFileSync(other, (await makeSandboxAuthority({ commonName: 'another', days: 1, now })).certPem);
  expect(await egressTo(own, ` --trust ${authorityFile}`)).toMatch(UNTRUSTED);
  expect(await egressTo(own, ` --trust ${other}`, { CALLBACK_CA_FILE: authorityFile })).toBe(TRUSTED);
});

it('trusts the receivers of a sandbox by its own authority, as long as no other is named', async () => {
  const { receiver } = await ensureSandboxCertificates(join(dir, 'certificates'), {
    domainV2: 'opendsr.localhost',
    domainV1: 'opengdpr.localhost',
    now,
  });
  const [keyPem, certPem] = [receiver.keyFile, receiver.chainFile].map((file) => readFileSync(file, 'utf8')) as [
    string,
    string,
  ];
  expect(await egressTo({ keyPem, certPem })).toBe(TRUSTED);
  expect(await egressTo({ keyPem, certPem }, '', { CALLBACK_CA_FILE: authorityFile })).toMatch(UNTRUSTED);
});

it('counts embedded stores as a sandbox, which sends to this machine, unless the profile is production', async () => {
  const trusting = { CALLBACK_CA_FILE: authorityFile };
  expect(await egressTo(own, '', trusting)).toBe(TRUSTED);
  expect(await egressTo(own, '', { ...trusting, TIMING_PROFILE: 'production' })).toMatch(
    /^FAIL {2}egress: such a URL names a host that callbacks are not sent to/,
  );
});

it('says where the file of CALLBACK_CA_FILE cannot be read', async () => {
  const { out } = await say('doctor --to https://localhost/', {
    commands: [doctorCommand],
    env: { DATA_DIR: dir, CALLBACK_CA_FILE: join(dir, 'nowhere.pem') },
  });
  expect(out.filter((line) => line.includes('  egress: '))).toEqual([
    'ok    egress: callbacks may go to the public internet on port 443, and to this machine',
    expect.stringMatching(/^FAIL {2}egress: CALLBACK_CA_FILE: /),
  ]);
});
