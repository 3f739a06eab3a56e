import { constants, createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate, makeSandboxAuthority } from './issue-certificate';
import { verifySignature } from './verify';

const golden = (name: string) => readFileSync(join(__dirname, 'golden', name));
const body = golden('callback-body.json');
const signature = golden('callback-signature.b64').toString();
const certificate = golden('opendsr_cert.pem').toString();

describe('a captured callback of a live processor', () => {
  it('verifies byte for byte, with the leaf of the bundle', () => {
    expect(verifySignature(body, signature, certificate)).toBe(true);
  });

  it('does not verify with one byte of the body altered, added or missing', () => {
    for (const at of body.keys()) {
      expect(
        verifySignature(Buffer.from(body.map((byte, i) => (i === at ? byte ^ 1 : byte))), signature, certificate),
      ).toBe(false);
    }
    expect(verifySignature(Buffer.concat([body, Buffer.from('\n')]), signature, certificate)).toBe(false);
    expect(verifySignature(body.subarray(0, -1), signature, certificate)).toBe(false);
  });

  it('does not verify with another signature', () => {
    const bytes = Buffer.from(signature, 'base64');
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    expect(verifySignature(body, bytes.toString('base64'), certificate)).toBe(false);
  });

  it.each([
    '',
    'no base64!',
    `${signature}\n`,
    `${signature.slice(0, 76)}\n${signature.slice(76)}`,
    'AAAA',
    signature.replaceAll('+', '-').replaceAll('/', '_'),
    signature.replace('==', ''),
  ])('returns false for the malformed signature %j', (malformed) => {
    expect(verifySignature(body, malformed, certificate)).toBe(false);
  });

  it('returns false without a certificate', () => {
    expect(verifySignature(body, signature, '')).toBe(false);
  });
});

it('refuses a signature with PSS padding', async () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const authority = await makeSandboxAuthority({ commonName: 'test', days: 2, now });
  const { keyPem, certPem } = await issueCertificate({
    authority,
    commonName: 'a',
    dnsNames: ['a'],
    usage: 'signing',
    days: 1,
    now,
  });
  const key = createPrivateKey(keyPem);
  const pkcs1 = sign('sha256', body, key).toString('base64');
  const pss = sign('sha256', body, { key, padding: constants.RSA_PKCS1_PSS_PADDING }).toString('base64');
  expect([pkcs1, pss].map((made) => verifySignature(body, made, certPem))).toEqual([true, false]);
});
