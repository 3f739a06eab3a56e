import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { keyPemOf, newKeys, RSA_2048 } from './rsa-keys';

const DAY_MS = 24 * 3600 * 1000;
/** For receivers with a slow clock. */
const CLOCK_SKEW_MS = 3600 * 1000;

export interface KeyAndCertificate {
  readonly keyPem: string;
  readonly certPem: string;
}

interface AuthorityOptions {
  readonly commonName: string;
  readonly days: number;
  readonly now: Date;
}

export interface CertificateOptions {
  readonly authority: KeyAndCertificate;
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses?: readonly string[];
  /** `signing`: receipts and callbacks. `server`: a TLS server. */
  readonly usage: 'signing' | 'server';
  readonly days: number;
  readonly now: Date;
}

/** An authority for the sandbox, the demo and tests; it may sign leaves only. */
export async function makeSandboxAuthority({ commonName, days, now }: AuthorityOptions): Promise<KeyAndCertificate> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...common(days, now),
      name: nameOf(commonName),
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { keyPem: await keyPemOf(keys.privateKey), certPem: linesOf(certificate) };
}

export async function issueCertificate(options: CertificateOptions): Promise<KeyAndCertificate> {
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(options.authority.certPem);
  const names = [...options.dnsNames.map(asName('dns')), ...(options.ipAddresses ?? []).map(asName('ip'))];
  const certificate = await x509.X509CertificateGenerator.create(
    {
      ...common(options.days, options.now),
      subject: nameOf(options.commonName),
      issuer: issuer.subject,
      publicKey: keys.publicKey,
      signingKey: await signingKeyOf(options.authority),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        ...(options.usage === 'server' ? [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth])] : []),
        ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { keyPem: await keyPemOf(keys.privateKey), certPem: linesOf(certificate) };
}

function common(days: number, now: Date) {
  return {
    // Positive and of full length: the first bit is the sign, a leading zero byte is cut off.
    serialNumber: `4${randomBytes(16).toString('hex').slice(1)}`,
    notBefore: new Date(now.getTime() - CLOCK_SKEW_MS),
    notAfter: new Date(now.getTime() + days * DAY_MS),
    signingAlgorithm: RSA_2048,
  };
}

const nameOf = (commonName: string) => [{ CN: [commonName] }];

const asName = (type: 'dns' | 'ip') => (value: string) => ({ type, value });

function signingKeyOf(authority: KeyAndCertificate) {
  return webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(authority.keyPem), RSA_2048, false, [
    'sign',
  ]);
}

function linesOf(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
