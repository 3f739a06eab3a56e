import 'reflect-metadata';
import { X509Certificate, type KeyObject } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export const MIN_MODULUS_BITS = 2048;

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** From a structured parser: the text that Node prints can be forged. */
interface CertificateFacts {
  readonly commonNames: readonly string[];
  readonly dnsNames: readonly string[];
  readonly digitalSignature: boolean | undefined;
  readonly signsLists: boolean;
  readonly maxPathLength: number;
  readonly signatureHash: string | undefined;
  /** Object identifiers. */
  readonly unknownCritical: readonly string[];
  /** For each distribution point the addresses of its revocation list, each of which suffices. */
  readonly revocationLists: readonly (readonly string[])[];
}

const KNOWN_EXTENSIONS = [
  '2.5.29.19',
  '2.5.29.15',
  '2.5.29.37',
  '2.5.29.17',
  '2.5.29.14',
  '2.5.29.35',
  '2.5.29.31',
  '2.5.29.32',
];

/** The certificates of a PEM file in order. Throws on a malformed block. */
export function readCertificates(pem: string): X509Certificate[] {
  return (pem.match(PEM_BLOCK) ?? []).map((block) => new X509Certificate(block));
}

/** Certificates do not change, and the checks of a path ask for the same one several times. */
const known = new WeakMap<X509Certificate, CertificateFacts>();

export function certificateFacts(certificate: X509Certificate): CertificateFacts {
  const facts = known.get(certificate) ?? parsedFacts(certificate);
  known.set(certificate, facts);
  return facts;
}

function parsedFacts(certificate: X509Certificate): CertificateFacts {
  const parsed = new x509.X509Certificate(certificate.raw);
  const alternative = parsed.getExtension(x509.SubjectAlternativeNameExtension);
  const usage = parsed.getExtension(x509.KeyUsagesExtension);
  const constraints = parsed.getExtension(x509.BasicConstraintsExtension);
  return {
    commonNames: parsed.subjectName.getField('CN'),
    dnsNames: (alternative?.names.items ?? []).filter(({ type }) => type === 'dns').map(({ value }) => value),
    digitalSignature: usage ? (usage.usages & x509.KeyUsageFlags.digitalSignature) !== 0 : undefined,
    signsLists: !usage || (usage.usages & x509.KeyUsageFlags.cRLSign) !== 0,
    maxPathLength: constraints?.pathLength ?? Infinity,
    signatureHash: (parsed.signatureAlgorithm as { hash?: { name: string } }).hash?.name,
    unknownCritical: parsed.extensions
      .filter(({ critical, type }) => critical && !KNOWN_EXTENSIONS.includes(type))
      .map(({ type }) => type),
    revocationLists: (parsed.getExtension(x509.CRLDistributionPointsExtension)?.distributionPoints ?? []).map(
      addressesOf,
    ),
  };
}

type DistributionPoint = x509.CRLDistributionPointsExtension['distributionPoints'][number];

/** A point for some reasons only, or signed by another authority, proves nothing. */
function addressesOf({ distributionPoint, reasons, cRLIssuer }: DistributionPoint): string[] {
  if (reasons || cRLIssuer) return [];
  return (distributionPoint?.fullName ?? []).flatMap(
    ({ uniformResourceIdentifier }) => uniformResourceIdentifier ?? [],
  );
}

export function isFitRsaKey(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_MODULUS_BITS;
}

export function isInDate(certificate: X509Certificate, now: Date): boolean {
  return certificate.validFromDate <= now && now <= certificate.validToDate;
}

export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
