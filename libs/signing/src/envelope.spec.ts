import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_SIGNATURES, preAuthEncoding, readEnvelope, signEnvelope } from './envelope';
import { ensureSandboxCertificates } from './sandbox-certificates';
import { loadSigner, type Signer } from './signer';
import { verifySignature } from './verify';

const folder = mkdtempSync(join(tmpdir(), 'envelope-'));
const type = 'application/vnd.in-toto+json';
const payload = Buffer.from('{"grüße":1}');
let signer: Signer;

beforeAll(async () => {
  const now = new Date();
  const domains = { domainV2: 'opendsr.localhost', domainV1: 'opengdpr.localhost', now };
  const { v2 } = await ensureSandboxCertificates(folder, domains);
  signer = await loadSigner({ ...v2, domain: domains.domainV2, now });
});
afterAll(() => rmSync(folder, { recursive: true }));

it('encodes type and payload with their lengths in bytes, as the example of DSSE', () => {
  expect(preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(
    'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
  );
  expect(preAuthEncoding('ü', payload).toString()).toBe('DSSEv1 2 ü 13 {"grüße":1}');
});

it('signs that encoding with the key of the certificate, which lies inside', async () => {
  const bytes = await signEnvelope(type, payload, signer);
  const parsed = JSON.parse(bytes.toString()) as { signatures: { keyid: string; sig: string; cert: string }[] };
  const [{ keyid, sig, cert } = { keyid: '', sig: '', cert: '' }, ...others] = parsed.signatures;
  expect(others).toEqual([]);
  expect(verifySignature(preAuthEncoding(type, payload), sig, cert)).toBe(true);
  expect(verifySignature(payload, sig, cert)).toBe(false);
  expect(cert).toBe(signer.certificatePem);
  expect(keyid).toBe(new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase());
});

it('writes the same bytes each time, and reads them back', async () => {
  const bytes = await signEnvelope(type, payload, signer);
  expect((await signEnvelope(type, payload, signer)).equals(bytes)).toBe(true);
  const envelope = readEnvelope(JSON.parse(bytes.toString()));
  expect(envelope).toMatchObject({ payloadType: type, payload });
  expect(envelope?.signatures).toEqual([
    { signature: expect.any(String) as string, certificatePem: signer.certificatePem },
  ]);
});

it('reads an envelope of others, without certificates, and no other thing', () => {
  const other = { payloadType: 'a', payload: 'Yg==', signatures: [{ sig: 'AA==' }] };
  expect(readEnvelope(other)).toEqual({
    payloadType: 'a',
    payload: Buffer.from('b'),
    signatures: [{ signature: 'AA==', certificatePem: undefined }],
  });
  for (const wrong of [
    null,
    'text',
    { ...other, payload: 7 },
    { ...other, payloadType: undefined },
    { ...other, signatures: {} },
    { ...other, signatures: [{ keyid: 'a' }] },
    { ...other, signatures: [null] },
    { ...other, signatures: Array(MAX_SIGNATURES + 1).fill({ sig: 'AA==' }) },
  ])
    expect(readEnvelope(wrong)).toBeUndefined();
});
