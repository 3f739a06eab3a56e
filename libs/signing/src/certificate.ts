import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** What the checks look at. Names come from a structured parser: the text that node prints can be made to look like another list. */
export interface CertificateFacts {
  readonly commonNames: readonly string[];
  readonly dnsNames: readonly string[];
  /** Undefined where the certificate does not limit its usage. */
  readonly digitalSignature: boolean | undefined;
  /** How many authorities may stand between this one and the leaf. */
  readonly maxPathLength: number;
}

/** The certificates of a PEM file in their order, whatever else it holds. Throws where a block is not a certificate. */
export function readCertificates(pem: string): X509Certificate[] {
  return (pem.match(PEM_BLOCK) ?? []).map((block) => new X509Certificate(block));
}

export function factsOf(certificate: X509Certificate): CertificateFacts {
  const parsed = new x509.X509Certificate(certificate.raw);
  const alternative = parsed.getExtension(x509.SubjectAlternativeNameExtension);
  const usage = parsed.getExtension(x509.KeyUsagesExtension);
  const constraints = parsed.getExtension(x509.BasicConstraintsExtension);
  return {
    commonNames: parsed.subjectName.getField('CN'),
    dnsNames: (alternative?.names.items ?? []).filter(({ type }) => type === 'dns').map(({ value }) => value),
    digitalSignature: usage ? (usage.usages & x509.KeyUsageFlags.digitalSignature) !== 0 : undefined,
    maxPathLength: constraints?.pathLength ?? Infinity,
  };
}

export function isInDate(certificate: X509Certificate, now: Date): boolean {
  return certificate.validFromDate <= now && now <= certificate.validToDate;
}

/** Whether `issuer` may sign certificates and did sign this one. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
