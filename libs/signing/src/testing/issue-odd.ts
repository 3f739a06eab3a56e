import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { KeyAndCertificate } from '../issue-certificate';
import { keyPemOf, newKeys } from '../rsa-keys';

const DAY_MS = 24 * 3600 * 1000;
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

export interface OddWish {
  /** Undefined: self-signed. */
  readonly authority: KeyAndCertificate | undefined;
  readonly commonNames: readonly string[];
  readonly extensions: x509.Extension[];
  readonly now: Date;
  readonly keys?: webcrypto.CryptoKeyPair;
  /** Of the authority's signature. */
  readonly hash?: string;
  readonly days?: number;
}

/** The extensions that receivers require. */
export const fitting = (domain: string): x509.Extension[] => [
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
  new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: domain }]),
];

/** Makes a certificate that `issueCertificate` never makes. */
export async function issueOdd({
  authority,
  commonNames,
  extensions,
  now,
  keys: given,
  hash = RSA.hash,
  days = 1,
}: OddWish): Promise<KeyAndCertificate> {
  const keys = given ?? (await newKeys());
  const subject = [{ CN: [...commonNames] }];
  const signingAlgorithm = { ...RSA, hash };
  const made = await x509.X509CertificateGenerator.create({
    ...{
      subject,
      signingAlgorithm,
      extensions,
      publicKey: keys.publicKey,
      notBefore: now,
      notAfter: new Date(now.getTime() + days * DAY_MS),
    },
    issuer: authority ? new x509.X509Certificate(authority.certPem).subject : subject,
    signingKey: authority
      ? await webcrypto.subtle.importKey(
          'pkcs8',
          x509.PemConverter.decodeFirst(authority.keyPem),
          signingAlgorithm,
          false,
          ['sign'],
        )
      : keys.privateKey,
  });
  return { keyPem: await keyPemOf(keys.privateKey), certPem: `${made.toString('pem')}\n` };
}

export const shortKeys = () =>
  webcrypto.subtle.generateKey({ ...RSA, publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 1024 }, true, [
    'sign',
    'verify',
  ]);
export const curveKeys = () =>
  webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
