import { NamedSigner } from '../testing/signer';
import { servedVersionsOf } from './served-versions';

const signers = { v2: new NamedSigner('opendsr.service.com'), v1: new NamedSigner('opengdpr.service.com', 'opengdpr') };
const addresses = {
  PUBLIC_URL_V2: 'https://a.example',
  PUBLIC_URL_V1: 'https://b.example',
  CERT_URL_V2: undefined,
  CERT_URL_V1: undefined,
};
const certificates = (more: Partial<typeof addresses> | { CERT_URL_V2: string; CERT_URL_V1: string }) =>
  servedVersionsOf({ ...addresses, ...more }, signers).map(({ certificatesUrl }) => certificatesUrl);

it('publishes certificates under the public address of their version, unless another address is set', () => {
  expect(certificates({})).toEqual(['https://a.example/v2/certificates', 'https://b.example/v1/certificates']);
  const CERT_URL = 'https://certs.example/dsr';
  expect(certificates({ CERT_URL_V2: CERT_URL, CERT_URL_V1: CERT_URL })).toEqual([CERT_URL, CERT_URL]);
});

it('serves the versions that have a signer, each in its own name', () => {
  const domains = (of: Parameters<typeof servedVersionsOf>[1]) =>
    servedVersionsOf(addresses, of).map(({ version, domain }) => [version.apiVersion, domain]);
  expect(domains(signers)).toEqual([
    ['2.0', 'opendsr.service.com'],
    ['1.0', 'opengdpr.service.com'],
  ]);
  expect(domains({ v2: signers.v2 })).toEqual([['2.0', 'opendsr.service.com']]);
});
