import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
} from '@peculiar/x509';
import { isEqual } from './bytes';

export type Certificate = X509Certificate;

const MIN_MODULUS_BITS = 2_048;
const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
/** SHA-1 is not collision-resistant. */
const SAFE_HASHES: readonly (string | undefined)[] = ['SHA-256', 'SHA-384', 'SHA-512'];
/** Those that are looked at, and those that do not limit what a certificate is for. */
const KNOWN_EXTENSIONS = [
  ...['2.5.29.14', '2.5.29.15', '2.5.29.17', '2.5.29.19'],
  ...['2.5.29.31', '2.5.29.32', '2.5.29.35', '2.5.29.37'],
];

/** The certificates of a PEM text in their order. Throws on a malformed block. */
export const readCertificates = (pem: string): Certificate[] =>
  (pem.match(PEM_BLOCK) ?? []).map((block) => new X509Certificate(block));

export const commonNames = ({ subjectName }: Certificate): readonly string[] => subjectName.getField('CN');

export const dnsNames = (certificate: Certificate): readonly string[] =>
  (certificate.getExtension(SubjectAlternativeNameExtension)?.names.items ?? [])
    .filter(({ type }) => type === 'dns')
    .map(({ value }) => value);

const hasUsage = (certificate: Certificate, flag: KeyUsageFlags): boolean | undefined => {
  const usage = certificate.getExtension(KeyUsagesExtension);
  return usage ? (usage.usages & flag) !== 0 : undefined;
};

export const signsDigitally = (certificate: Certificate): boolean =>
  hasUsage(certificate, KeyUsageFlags.digitalSignature) === true;

export const isInDate = ({ notBefore, notAfter }: Certificate, at: Date): boolean => notBefore <= at && at <= notAfter;

const isRsa = ({ publicKey }: Certificate): boolean => publicKey.algorithm.name.startsWith('RSA');

/** RSA of at least 2048 bits. */
export const isFitRsa = (certificate: Certificate): boolean =>
  isRsa(certificate) &&
  ((certificate.publicKey.algorithm as { modulusLength?: number }).modulusLength ?? 0) >= MIN_MODULUS_BITS;

export const isFitAuthority = (certificate: Certificate): boolean =>
  certificate.publicKey.algorithm.name.startsWith('EC') || isFitRsa(certificate);

/** How many authorities may stand between this one and a leaf; undefined for none that may issue. */
export function pathLengthOf(certificate: Certificate): number | undefined {
  const constraints = certificate.getExtension(BasicConstraintsExtension);
  return constraints?.ca === true ? (constraints.pathLength ?? Infinity) : undefined;
}

/** An unknown critical extension, such as name constraints, must not be ignored. */
export function isSoundlySigned({ signatureAlgorithm, extensions }: Certificate): boolean {
  const { hash } = signatureAlgorithm as { hash?: { name: string } };
  return (
    SAFE_HASHES.includes(hash?.name) &&
    extensions.every(({ critical, type }) => !critical || KNOWN_EXTENSIONS.includes(type))
  );
}

const isSignedWith = (certificate: Certificate, { publicKey }: Certificate): Promise<boolean> =>
  certificate.verify({ publicKey, signatureOnly: true }).catch(() => false);

export const isSelfSigned = (certificate: Certificate): Promise<boolean> => isSignedWith(certificate, certificate);

/** Whether the issuer may issue, has the name that the certificate names, and signed it. */
export async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const [named, own] = [certificate.issuerName.toArrayBuffer(), issuer.subjectName.toArrayBuffer()];
  const mayIssue = pathLengthOf(issuer) !== undefined && hasUsage(issuer, KeyUsageFlags.keyCertSign) !== false;
  return mayIssue && isEqual(new Uint8Array(named), new Uint8Array(own)) && isSignedWith(certificate, issuer);
}
