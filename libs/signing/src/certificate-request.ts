import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { keyPemOf, newKeys, RSA_2048 } from './rsa-keys';

/** X.520, ub-common-name. */
const MAX_COMMON_NAME = 64;

export interface KeyAndRequest {
  readonly keyPem: string;
  readonly requestPem: string;
}

/** Creates an RSA-2048 key and its certificate request (protocol, "Certificate checks by a receiver"). Throws a RangeError. */
export async function makeCertificateRequest(domain: string): Promise<KeyAndRequest> {
  if (domain.length > MAX_COMMON_NAME) throw new RangeError(`a common name has at most ${MAX_COMMON_NAME} characters`);
  const keys = await newKeys();
  const request = await x509.Pkcs10CertificateRequestGenerator.create(
    {
      name: [{ CN: [domain] }],
      keys,
      signingAlgorithm: RSA_2048,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: domain }]),
      ],
    },
    webcrypto,
  );
  return { keyPem: await keyPemOf(keys.privateKey), requestPem: `${request.toString('pem')}\n` };
}
