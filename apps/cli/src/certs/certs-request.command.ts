import { signingSettings } from '@opendsr-service/config';
import { makeCertificateRequest } from '@opendsr-service/signing';
import { command, EXIT, type Terminal } from '../command';
import { matching, oneOf, optional, required, UsageError } from '../options';

const domainName = matching(
  /^(?=.{1,64}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
  'a domain name in lower case of at most 64 characters',
);

/** `dsr certs request`: a key and a certificate request for an authority (docs/certificates.md). */
export const certsRequest = command({
  words: 'certs request',
  meaning:
    'makes an RSA-2048 key that only its owner can read, and a PKCS#10 request for a certificate. The ' +
    'request names the processor domain of a version, or D, as common name and alternative name, for ' +
    'digitalSignature. Overwrites no file',
  options: {
    version: optional('1|2', oneOf(['1', '2'])),
    domain: optional('D', domainName),
    key: required('FILE', String),
    out: required('FILE', String),
  },
  run: async (given, terminal) => {
    const domain = domainOf(given, terminal);
    const { keyPem, requestPem } = await makeCertificateRequest(domain);
    await terminal.files.writeNew([
      { file: given.key, text: keyPem, mode: 0o600 },
      { file: given.out, text: requestPem, mode: 0o644 },
    ]);
    terminal.print(`made a key for ${domain}: ${given.key}`);
    terminal.print(`made a request for its certificate: ${given.out}`);
    terminal.print(
      'Send the request to an authority; keep the key secret. Check the certificate with dsr certs check.',
    );
    return EXIT.ok;
  },
});

function domainOf(
  { version, domain }: { readonly version: string | undefined; readonly domain: string | undefined },
  { settings }: Terminal,
): string {
  if ((version === undefined) === (domain === undefined)) throw new UsageError('give one of --version and --domain');
  if (domain !== undefined) return domain;
  const values = settings({
    PROCESSOR_DOMAIN_V1: signingSettings.PROCESSOR_DOMAIN_V1,
    PROCESSOR_DOMAIN_V2: signingSettings.PROCESSOR_DOMAIN_V2,
  });
  return version === '1' ? values.PROCESSOR_DOMAIN_V1 : values.PROCESSOR_DOMAIN_V2;
}
