import 'reflect-metadata';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { makeCertificateRequest, type KeyAndRequest } from './certificate-request';

const domain = 'opendsr.example.com';
let made: KeyAndRequest;
let request: x509.Pkcs10CertificateRequest;

beforeAll(async () => {
  made = await makeCertificateRequest(domain);
  request = new x509.Pkcs10CertificateRequest(made.requestPem);
});

describe('a request for a certificate', () => {
  it('is signed by its own key, RSA of 2048 bits, with SHA-256', async () => {
    const key = createPrivateKey(made.keyPem);
    expect([key.asymmetricKeyType, key.asymmetricKeyDetails?.modulusLength]).toEqual(['rsa', 2048]);
    expect(await request.verify()).toBe(true);
    expect(request.signatureAlgorithm).toMatchObject({ name: 'RSASSA-PKCS1-v1_5', hash: { name: 'SHA-256' } });
    const named = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' });
    expect(named.equals(createPublicKey(key))).toBe(true);
  });

  it('has the domain as common and only alternative name, and only the usage digitalSignature', () => {
    expect(request.subject).toBe(`CN=${domain}`);
    const extension = <T extends x509.Extension>(type: new (raw: ArrayBuffer) => T) =>
      request.extensions.find((one): one is T => one instanceof type);
    expect(extension(x509.SubjectAlternativeNameExtension)?.names.toJSON()).toEqual([{ type: 'dns', value: domain }]);
    expect(extension(x509.KeyUsagesExtension)?.usages).toBe(x509.KeyUsageFlags.digitalSignature);
  });

  it('has a new key each time, and does not contain it', async () => {
    expect((await makeCertificateRequest(domain)).keyPem).not.toBe(made.keyPem);
    expect(made.requestPem).not.toContain('PRIVATE');
  });

  it('is refused for a domain that is too long for a common name', async () => {
    await expect(makeCertificateRequest(`${'a'.repeat(61)}.com`)).rejects.toThrow(RangeError);
  });
});
