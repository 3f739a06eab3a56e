import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCertificate } from './check-certificate';
import {
  issueCertificate,
  makeSandboxAuthority,
  type CertificateOptions,
  type KeyAndCertificate,
} from './issue-certificate';
import { newKeys } from './rsa-keys';
import { loadSigner, loadSigners } from './signer';
import { SigningError } from './signing-error';
import { UNFIT, underIntermediate, type Place } from './testing/unfit';
import { verifySignature } from './verify';

const folder = mkdtempSync(join(tmpdir(), 'signer-'));
afterAll(() => rmSync(folder, { recursive: true }));

const domain = 'opendsr.example.com';
const now = new Date('2026-01-01T00:00:00Z');
let authority: KeyAndCertificate;
let good: KeyAndCertificate;
let keys: Place['keys'];

const issue = (wish: Partial<CertificateOptions> = {}) =>
  issueCertificate({ authority, commonName: domain, dnsNames: [domain], usage: 'signing', days: 10, now, ...wish });

beforeAll(async () => {
  authority = await makeSandboxAuthority({ commonName: 'test authority', days: 100, now });
  good = await issue();
  keys = await newKeys();
});

function load(keyPem: string, chainPem: string, at = now) {
  const [keyFile, chainFile] = [join(folder, 'a.key'), join(folder, 'a.pem')];
  writeFileSync(keyFile, keyPem);
  writeFileSync(chainFile, chainPem);
  return loadSigner({ keyFile, chainFile, domain, now: at });
}

async function refusal(keyPem: string, chainPem: string, at = now): Promise<SigningError> {
  const error: unknown = await load(keyPem, chainPem, at).catch((reason: unknown) => reason);
  if (!(error instanceof SigningError)) throw new Error('expected a SigningError');
  const secret = keyPem
    .replace(/-----.*-----/g, '')
    .trim()
    .slice(0, 40);
  expect(secret !== '' && error.message.includes(secret)).toBe(false);
  return error;
}

describe('a signer', () => {
  it('creates one-line signatures over exactly the given bytes, which its own certificate verifies', async () => {
    const signer = await load(good.keyPem, good.certPem);
    const body = Buffer.from('{"a":1}');
    const signature = await signer.sign(body);
    expect(signature).toMatch(/^[A-Za-z0-9+/]{342}==$/);
    expect(verifySignature(body, signature, signer.certificatePem)).toBe(true);
    expect(verifySignature(Buffer.from('{"a": 1}'), signature, signer.certificatePem)).toBe(false);
  });

  it('publishes leaf and chain, and nothing else from the file', async () => {
    const signer = await load(good.keyPem, `${good.keyPem}comment\n${good.certPem}${authority.certPem}`);
    expect(signer.certificatePem).toBe(`${good.certPem}${authority.certPem}`);
    expect(signer.domain).toBe(domain);
  });

  it('has the SHA-256 of its leaf as fingerprint', async () => {
    const { fingerprint } = await load(good.keyPem, good.certPem + authority.certPem);
    const leaf = new X509Certificate(good.certPem);
    expect(fingerprint).toBe(createHash('sha256').update(leaf.raw).digest('hex'));
    expect(fingerprint).toBe(leaf.fingerprint256.replaceAll(':', '').toLowerCase());
  });
});

it('has a published name that depends on the bytes, and an expiry', async () => {
  const [alone, chained] = [
    await load(good.keyPem, good.certPem),
    await load(good.keyPem, good.certPem + authority.certPem),
  ];
  for (const { publishedName, certificatePem } of [alone, chained]) {
    expect(publishedName).toBe(`opendsr-${createHash('sha256').update(certificatePem).digest('hex').slice(0, 32)}.pem`);
  }
  expect(alone.publishedName).not.toBe(chained.publishedName);
  expect(alone.notAfter).toEqual(new Date('2026-01-11T00:00:00Z'));
});

it('loads a signer for each served version, with its own domain and key', async () => {
  const v1Domain = 'opengdpr.example.com';
  const filesOf = ({ keyPem, certPem }: KeyAndCertificate, name: string) => {
    const [keyFile, chainFile] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    writeFileSync(keyFile, keyPem);
    writeFileSync(chainFile, certPem);
    return { keyFile, chainFile };
  };
  const v2 = { ...filesOf(good, 'v2'), domain };
  const v1 = { ...filesOf(await issue({ commonName: v1Domain, dnsNames: [v1Domain] }), 'v1'), domain: v1Domain };
  const both = await loadSigners({ v2, v1 }, now);
  expect([both.v2.domain, both.v1?.domain]).toEqual([domain, v1Domain]);
  expect(both.v1?.fingerprint).not.toBe(both.v2.fingerprint);
  expect([both.v2.publishedName, both.v1?.publishedName]).toEqual([
    expect.stringMatching(/^opendsr-[0-9a-f]{32}\.pem$/),
    expect.stringMatching(/^opengdpr-[0-9a-f]{32}\.pem$/),
  ]);
  expect(Object.keys(await loadSigners({ v2 }, now))).toEqual(['v2']);
  await expect(loadSigners({ v2, v1: { ...v2, domain: v1Domain } }, now)).rejects.toThrow(SigningError);
});

it('accepts a chain through an intermediate to an authority outside of the file', async () => {
  const { keyPem, certPem } = await underIntermediate({
    authority: await makeSandboxAuthority({ commonName: 'elsewhere', days: 1, now }),
    domain,
    now,
    keys,
  });
  expect((await load(keyPem, certPem)).certificatePem).toBe(certPem);
});

describe('loading a signer refuses', () => {
  it('files that are unreadable or hold nothing usable', async () => {
    await expect(loadSigner({ keyFile: join(folder, 'absent'), chainFile: folder, domain, now })).rejects.toThrow(
      /absent cannot be read \(ENOENT\)/,
    );
    expect(await refusal('no key', good.certPem)).toMatchObject({ kind: 'unreadable' });
    expect(await refusal(good.keyPem, 'no certificate')).toMatchObject({ kind: 'unreadable' });
    expect(await refusal(good.keyPem, good.certPem.replace(/MII.{20}/, ''))).toMatchObject({ kind: 'unreadable' });
  });

  it('an encrypted key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
    });
    expect(await refusal(privateKey, good.certPem)).toMatchObject({ kind: 'unreadable' });
  });

  it('a key that is short or not plain RSA', async () => {
    const pem = (key: { export(o: { type: 'pkcs8'; format: 'pem' }): string | Buffer }) =>
      key.export({ type: 'pkcs8', format: 'pem' }).toString();
    const keys = [
      generateKeyPairSync('rsa', { modulusLength: 1024 }),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
    ];
    for (const { privateKey } of keys)
      expect(await refusal(pem(privateKey), good.certPem)).toMatchObject({ kind: 'key-unfit' });
  });

  it('a certificate of another key', async () => {
    expect(await refusal((await issue()).keyPem, good.certPem)).toMatchObject({
      kind: 'key-mismatch',
      message: expect.stringMatching(/no certificate there belongs/) as string,
    });
  });

  it('a chain that does not start with the leaf or is out of order', async () => {
    const first: unknown = expect.stringMatching(/must stand first/);
    expect(await refusal(good.keyPem, authority.certPem + good.certPem)).toMatchObject({
      kind: 'key-mismatch',
      message: first,
    });
    const other = await makeSandboxAuthority({ commonName: 'other', days: 1, now });
    expect(await refusal(good.keyPem, good.certPem + other.certPem)).toMatchObject({ kind: 'chain-order' });
  });

  it.each(UNFIT)(
    'a certificate that every receiver refuses, with its faults: $what',
    async ({ make, kind, faults }) => {
      const { keyPem, certPem } = await make({ authority, domain, now, keys });
      expect(await refusal(keyPem, certPem)).toMatchObject({ kind, faults });
      expect(checkCertificate(certPem, { domain, trustPem: authority.certPem, now })).toEqual(
        expect.arrayContaining([...faults]),
      );
    },
  );

  it('all faults in one message', async () => {
    const { keyPem, certPem } = await issue({ commonName: 'other' });
    expect(await refusal(keyPem, certPem, new Date('2026-01-12T00:00:00Z'))).toMatchObject({
      kind: 'dates',
      faults: ['expired', 'common-name'],
      message: expect.stringMatching(/is valid from .*, not now; it must carry opendsr\.example\.com/) as string,
    });
  });
});
