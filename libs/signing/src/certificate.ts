import 'reflect-metadata';
import { X509Certificate, type KeyObject } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** Shorter keys are refused, by whoever signs and by whoever verifies. */
export const MIN_MODULUS_BITS = 2048;

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** What the checks look at. Names come from a structured parser: the text that node prints can be made to look like another list. */
export interface CertificateFacts {
  readonly commonNames: readonly string[];
  readonly dnsNames: readonly string[];
  /** Undefined where the certificate does not limit its usage. */
  readonly digitalSignature: boolean | undefined;
  /** Whether it may sign revocation lists. */
  readonly signsLists: boolean;
  /** How many authorities may stand between this one and the leaf. */
  readonly maxPathLength: number;
  /** The hash under its signature, such as `SHA-256`. */
  readonly signatureHash: string | undefined;
  /** Object identifiers of extensions that forbid whoever does not know them to rely on the certificate, and that nothing here knows. */
  readonly unknownCritical: readonly string[];
  /** For each distribution point that it names, the addresses of its revocation list; any of them will do. */
  readonly revocationLists: readonly (readonly string[])[];
}

/** basicConstraints, keyUsage, extKeyUsage, the alternative name, key identifiers, distribution points and policies (none is asked for). */
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

/** The certificates of a PEM file in their order, whatever else it holds. Throws where a block is not a certificate. */
export function readCertificates(pem: string): X509Certificate[] {
  return (pem.match(PEM_BLOCK) ?? []).map((block) => new X509Certificate(block));
}

export function certificateFacts(certificate: X509Certificate): CertificateFacts {
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

/** A point that covers some reasons only, or whose list another authority signs, has no address here: such a list proves nothing. */
function addressesOf({ distributionPoint, reasons, cRLIssuer }: DistributionPoint): string[] {
  if (reasons || cRLIssuer) return [];
  return (distributionPoint?.fullName ?? []).flatMap(
    ({ uniformResourceIdentifier }) => uniformResourceIdentifier ?? [],
  );
}

/** Whether this is an RSA key as signatures of the protocol need it: of at least 2048 bits. */
export function isFitRsaKey(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_MODULUS_BITS;
}

export function isInDate(certificate: X509Certificate, now: Date): boolean {
  return certificate.validFromDate <= now && now <= certificate.validToDate;
}

/** Whether `issuer` may sign certificates and did sign this one. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
