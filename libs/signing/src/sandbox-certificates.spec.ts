import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { checkCertificate } from './check-certificate';
import { ensureSandboxCertificates, type CertificateFiles } from './sandbox-certificates';

const root = mkdtempSync(join(tmpdir(), 'certificates-'));
afterAll(() => rmSync(root, { recursive: true }));

const wish = { domainV2: 'opendsr.localhost', domainV1: 'opengdpr.localhost', now: new Date() };
const DAY_MS = 24 * 3600 * 1000;
const inDays = (days: number) => new Date(wish.now.getTime() + days * DAY_MS);
const text = (file: string) => readFileSync(file, 'utf8');
const contents = (dir: string) => Object.fromEntries(readdirSync(dir).map((name) => [name, text(join(dir, name))]));
const changed = (before: Record<string, string>, dir: string) =>
  Object.entries(contents(dir))
    .filter(([name, now]) => before[name] !== now)
    .map(([name]) => name)
    .sort();

const dir = join(root, 'certificates');

it('creates a valid signing certificate for each version, and keys that only the owner can read', async () => {
  const made = await ensureSandboxCertificates(dir, wish);
  const trustPem = text(made.authorityFile);
  const faults = (files: CertificateFiles, domain: string) =>
    checkCertificate(text(files.chainFile), { domain, trustPem, now: wish.now });
  expect(faults(made.v2, wish.domainV2)).toEqual([]);
  expect(faults(made.v1, wish.domainV1)).toEqual([]);
  expect(readdirSync(dir).sort()).toEqual([
    'authority.key',
    'authority.pem',
    'receiver.key',
    'receiver.pem',
    'v1.key',
    'v1.pem',
    'v2.key',
    'v2.pem',
  ]);
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
});

it('creates a TLS server certificate that is valid for localhost and 127.0.0.1', async () => {
  const { receiver, authorityFile } = await ensureSandboxCertificates(dir, wish);
  const server = createServer({ key: text(receiver.keyFile), cert: text(receiver.chainFile) }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    for (const name of [{ servername: 'localhost' }, {}]) {
      const socket = connect({ host: '127.0.0.1', port, ca: text(authorityFile), ...name });
      await once(socket, 'secureConnect');
      expect(socket.authorized).toBe(true);
      socket.destroy();
    }
  } finally {
    server.close();
  }
});

it('keeps them between starts', async () => {
  const before = contents(dir);
  await ensureSandboxCertificates(dir, { ...wish, now: inDays(300) });
  expect(changed(before, dir)).toEqual([]);
});

it('renews only a certificate with another domain', async () => {
  const before = contents(dir);
  await ensureSandboxCertificates(dir, { ...wish, domainV2: 'dsr.acme.test' });
  expect(changed(before, dir)).toEqual(['v2.key', 'v2.pem']);
  expect(new X509Certificate(text(join(dir, 'v2.pem'))).subject).toBe('CN=dsr.acme.test');
});

it('renews what ends within thirty days, under the same authority', async () => {
  const before = contents(dir);
  await ensureSandboxCertificates(dir, { ...wish, domainV2: 'dsr.acme.test', now: inDays(380) });
  expect(changed(before, dir)).toEqual(['receiver.key', 'receiver.pem', 'v1.key', 'v1.pem', 'v2.key', 'v2.pem']);
});

it.each([
  ['a key that a crash left beside another certificate', 'v1.key', () => text(join(dir, 'v2.key'))],
  ['a certificate that was cut off', 'v1.pem', () => text(join(dir, 'v1.pem')).slice(0, 300)],
])('renews %s', async (_, name, content) => {
  writeFileSync(join(dir, name), content());
  const before = contents(dir);
  await ensureSandboxCertificates(dir, { ...wish, domainV2: 'dsr.acme.test', now: inDays(380) });
  expect(changed(before, dir)).toEqual(['v1.key', 'v1.pem']);
});

it('adds what a folder of an earlier release lacks, and replaces nothing', async () => {
  for (const name of ['v1.key', 'v1.pem']) rmSync(join(dir, name));
  const before = contents(dir);
  const { v1 } = await ensureSandboxCertificates(dir, { ...wish, domainV2: 'dsr.acme.test', now: inDays(380) });
  expect(changed(before, dir)).toEqual(['v1.key', 'v1.pem']);
  expect(new X509Certificate(text(v1.chainFile)).subject).toBe('CN=opengdpr.localhost');
});

it('renews everything if the authority is damaged', async () => {
  writeFileSync(join(dir, 'authority.key'), 'no key');
  const before = contents(dir);
  await ensureSandboxCertificates(dir, wish);
  expect(changed(before, dir)).toHaveLength(8);
});
