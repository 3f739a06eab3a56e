import { processorsOf } from './processors';

const signerOf = (domain: string) => ({ domain, certificatePem: '', fingerprint: '', notAfter: new Date(0), publishedName: '', sign: () => Promise.resolve('') });
const signers = { v2: signerOf('opendsr.service.com'), v1: signerOf('opengdpr.service.com') };
const addresses = { PUBLIC_URL_V2: 'https://a.example', PUBLIC_URL_V1: 'https://b.example', CERT_URL_V2: undefined, CERT_URL_V1: undefined };
const certificates = (more: Partial<typeof addresses> | { CERT_URL_V2: string; CERT_URL_V1: string }) => processorsOf({ ...addresses, ...more }, signers).map(({ certificateUrl }) => certificateUrl);

it('publishes each certificate under the public address of its version, unless another is named', () => {
  expect(certificates({})).toEqual(['https://a.example/v2/certificates/opendsr.pem', 'https://b.example/v1/certificates/opengdpr.pem']);
});

it('publishes two distinct files where both versions name one address', () => {
  const CERT_URL = 'https://certs.example/dsr';
  expect(certificates({ CERT_URL_V2: CERT_URL, CERT_URL_V1: CERT_URL })).toEqual([`${CERT_URL}/opendsr.pem`, `${CERT_URL}/opengdpr.pem`]);
});

it('speaks the versions that have a signer, each in its own name', () => {
  const domains = (of: Parameters<typeof processorsOf>[1]) => processorsOf(addresses, of).map(({ version, domain }) => [version.apiVersion, domain]);
  expect(domains(signers)).toEqual([['2.0', 'opendsr.service.com'], ['1.0', 'opengdpr.service.com']]);
  expect(domains({ v2: signers.v2 })).toEqual([['2.0', 'opendsr.service.com']]);
});
