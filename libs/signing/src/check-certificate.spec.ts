import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { certificateFacts, readCertificates } from './certificate';
import { checkCertificate, examineCertificate } from './check-certificate';
import {
  issueCertificate,
  makeSandboxAuthority,
  type CertificateOptions,
  type KeyAndCertificate,
} from './issue-certificate';
import { newKeys } from './rsa-keys';
import { curveKeys, fitting, issueOdd, shortKeys, type OddWish } from './testing/issue-odd';

const DAY_MS = 24 * 3600 * 1000;
const domain = 'opendsr.example.com';
const now = new Date('2026-01-01T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

let authority: KeyAndCertificate;
beforeAll(async () => {
  authority = await makeSandboxAuthority({ commonName: 'test authority', days: 100, now });
});

const issue = (wish: Partial<CertificateOptions> = {}) =>
  issueCertificate({ authority, commonName: domain, dnsNames: [domain], usage: 'signing', days: 10, now, ...wish });
const check = (chainPem: string, at = now) =>
  checkCertificate(chainPem, { domain, trustPem: authority.certPem, now: at });

const issueWith = (extensions: x509.Extension[], wish: Partial<OddWish> = {}) =>
  issueOdd({ authority, commonNames: [domain], extensions, now, ...wish });

const issuing = (pathLength?: number) => [
  new x509.BasicConstraintsExtension(true, pathLength, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
];

describe('a receiver', () => {
  it('finds no fault in a valid certificate of a trusted authority that names the domain', async () => {
    const { certPem } = await issue();
    expect(check(certPem)).toEqual([]);
    expect(check(certPem, inDays(10))).toEqual([]);
  });

  it('finds a certificate that has expired or is not yet valid', async () => {
    const { certPem } = await issue();
    expect(check(certPem, inDays(11))).toEqual(['expired']);
    const { certPem: early } = await issue({ now: inDays(5) });
    expect(check(early)).toEqual(['not-yet-valid']);
  });

  it('finds an untrusted authority, also one of the same name', async () => {
    const other = await makeSandboxAuthority({ commonName: 'test authority', days: 100, now });
    const { certPem } = await issue({ authority: other });
    expect(check(certPem)).toEqual(['untrusted']);
    expect(check(certPem + other.certPem)).toEqual(['untrusted']);
    expect(checkCertificate(certPem, { domain, trustPem: '', now })).toEqual(['untrusted']);
  });

  it('finds an expired trusted authority', async () => {
    const { certPem } = await issue({ days: 200 });
    expect(check(certPem, inDays(150))).toEqual(['untrusted']);
  });

  it('finds a self-signed certificate, even if it is trusted', () => {
    const found = checkCertificate(authority.certPem, { domain: 'test authority', trustPem: authority.certPem, now });
    expect(found).toContain('self-signed');
  });

  it('requires the exact domain as common name', async () => {
    for (const commonName of ['example.com', `www.${domain}`, '*.example.com']) {
      expect(check((await issue({ commonName })).certPem)).toEqual(['common-name']);
    }
  });

  it('requires the exact domain among the alternative names', async () => {
    const lists = [
      [],
      ['example.com'],
      ['*.example.com'],
      [`${domain}.evil.example`],
      [`evil.example, DNS:${domain}, DNS:more.example`],
    ];
    for (const dnsNames of lists) expect(check((await issue({ dnsNames })).certPem)).toEqual(['alternative-name']);
  });

  it('requires the key usage digitalSignature', async () => {
    const { certPem } = await issueWith([
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyEncipherment, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: domain }]),
    ]);
    expect(check(certPem)).toEqual(['key-usage']);
  });

  it('requires an RSA key of at least 2048 bits', async () => {
    for (const keys of [await shortKeys(), await curveKeys()])
      expect(check((await issueWith(fitting(domain), { keys })).certPem)).toEqual(['key-unfit']);
  });

  it('refuses a signature of an authority with SHA-1', async () => {
    expect(check((await issueWith(fitting(domain))).certPem)).toEqual([]);
    expect(check((await issueWith(fitting(domain), { hash: 'SHA-1' })).certPem)).toEqual(['untrusted']);
  });

  it('refuses an unknown critical extension', async () => {
    const nameConstraints = (critical: boolean) =>
      new x509.Extension('2.5.29.30', critical, Buffer.from('3000', 'hex'));
    expect(check((await issueWith([...fitting(domain), nameConstraints(true)])).certPem)).toEqual(['untrusted']);
    expect(check((await issueWith([...fitting(domain), nameConstraints(false)])).certPem)).toEqual([]);
  });

  it('reports a certificate with a broken extension as malformed', async () => {
    const broken = new x509.Extension('2.5.29.31', false, Buffer.from('ffff', 'hex'));
    expect(check((await issueWith([...fitting(domain), broken])).certPem)).toEqual(['malformed']);
  });

  it('refuses a path that is longer than an authority allows', async () => {
    const between = await issueWith(issuing());
    const { certPem } = await issue({ authority: between });
    expect(check(certPem + between.certPem)).toEqual(['untrusted']);
  });

  it('finds the shortest way of an authority that others have signed too', async () => {
    const root = await issueWith(issuing(1), { authority: undefined, commonNames: ['root'] });
    const other = await issueWith(issuing(), { authority: root, commonNames: ['other'] });
    const foreign = await issueWith(issuing(), { authority: undefined, commonNames: ['foreign'] });
    const keys = await newKeys();
    const [byForeign, byOther, byRoot] = await Promise.all(
      [foreign, other, root].map((by) => issueWith(issuing(), { authority: by, commonNames: ['crossed'], keys })),
    );
    const { certPem: leaf } = await issue({ authority: byRoot as KeyAndCertificate });
    const among = (...others: (KeyAndCertificate | undefined)[]) =>
      checkCertificate(leaf + others.map((one) => one?.certPem).join(''), { domain, trustPem: root.certPem, now });
    expect(among(byForeign, foreign, byOther, other, byRoot)).toEqual([]);
    expect(among(byRoot, other, byOther, foreign, byForeign)).toEqual([]);
    expect(among(byForeign, foreign, byOther, other)).toEqual(['untrusted']);
  });

  it('tries each authority once, however they have signed each other', async () => {
    const keys = await newKeys();
    const looped = await Promise.all(
      Array.from({ length: 7 }, () => issueWith(issuing(), { authority: undefined, commonNames: ['loop'], keys })),
    );
    const { certPem } = await issue({ authority: looped[0] as KeyAndCertificate });
    const verify = jest.spyOn(X509Certificate.prototype, 'verify');
    expect(check(certPem + looped.map((one) => one.certPem).join(''))).toEqual(['untrusted']);
    expect(verify.mock.calls.length).toBeLessThan(100);
    verify.mockRestore();
  });

  it('refuses a leaf as an authority', async () => {
    const leaf = await issue();
    const { certPem } = await issue({ authority: leaf });
    expect(check(certPem + leaf.certPem)).toEqual(['untrusted']);
  });

  it('reports all faults at once', async () => {
    const { certPem } = await issue({ commonName: 'a', dnsNames: ['b'] });
    expect(check(certPem, inDays(11))).toEqual(['expired', 'common-name', 'alternative-name']);
  });

  it.each([
    ['nothing', ''],
    ['no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('reports %s as malformed', (_, pem) => {
    expect(check(pem)).toEqual(['malformed']);
  });

  it('reports a file of more than 8 certificates as malformed', () => {
    expect(check(authority.certPem.repeat(9))).toEqual(['malformed']);
  });
});

it('reads the addresses of revocation lists from complete distribution points', async () => {
  const url = 'http://authority.example/a.crl';
  const { certPem } = await issueWith([new x509.CRLDistributionPointsExtension([url])]);
  const { path, leaf } = examineCertificate(certPem, { domain, trusted: readCertificates(authority.certPem), now });
  expect(path.map(({ subject }) => subject)).toEqual([`CN=${domain}`, 'CN=test authority']);
  expect(leaf && certificateFacts(leaf).revocationLists).toEqual([[url]]);
});

describe('the captured chain of a live processor', () => {
  const chainPem = readFileSync(join(__dirname, 'golden', 'opendsr_cert.pem'), 'utf8');
  const blocks = chainPem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n?/g) ?? [];
  const [leaf = '', ...others] = blocks;
  const root = others.at(-1) ?? '';
  const captured = new Date('2025-06-02T00:00:00Z');

  it('has a path through its intermediates to its root, in any order', () => {
    const expected = { domain: 'opendsr.mparticle.com', trustPem: root, now: captured };
    expect(checkCertificate(chainPem, expected)).toEqual([]);
    expect(checkCertificate([leaf, ...others.toReversed()].join('\n'), expected)).toEqual([]);
  });

  it('has no path without its intermediates', () => {
    expect(checkCertificate(leaf, { domain: 'opendsr.mparticle.com', trustPem: root, now: captured })).toEqual([
      'untrusted',
    ]);
  });
});
