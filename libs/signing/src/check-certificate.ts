import type { KeyObject, X509Certificate } from 'node:crypto';
import { certificateFacts, isFitRsaKey, isInDate, isIssuedBy, readCertificates } from './certificate';

export type CertificateFault =
  | 'malformed'
  | 'untrusted'
  | 'self-signed'
  | 'not-yet-valid'
  | 'expired'
  | 'common-name'
  | 'alternative-name'
  | 'key-usage'
  | 'key-unfit';

interface CertificateExpectation {
  readonly domain: string;
  readonly trustPem: string;
  readonly now: Date;
}

export interface CertificateFindings {
  /** None: trusted, revocation excepted. */
  readonly faults: readonly CertificateFault[];
  readonly leaf: X509Certificate | undefined;
  /** From the leaf to the trusted authority; empty: no path. */
  readonly path: readonly X509Certificate[];
}

/** Real chains have two to four. */
const MAX_CERTIFICATES = 8;
const MALFORMED: CertificateFindings = { faults: ['malformed'], leaf: undefined, path: [] };
/** SHA-1 is not collision-resistant. */
const SAFE_HASHES = new Set(['SHA-256', 'SHA-384', 'SHA-512']);

/** The checks of a receiver, except revocation (protocol, "Certificate checks by a receiver"). `chainPem`: leaf first. */
export function checkCertificate(
  chainPem: string,
  { domain, trustPem, now }: CertificateExpectation,
): CertificateFault[] {
  return [...examineCertificate(chainPem, { domain, trusted: certificatesOf(trustPem), now }).faults];
}

/** `checkCertificate` with parsed authorities; also returns the certificates. */
export function examineCertificate(
  chainPem: string,
  expected: Trust & { readonly domain: string },
): CertificateFindings {
  return findingsOf(certificatesOf(chainPem), expected, (leaf, others) => pathOf(leaf, others, expected));
}

/** The faults that every receiver finds, without its authorities. `untrusted`: a chain without an end. */
export function faultsForAnyReceiver(
  chain: readonly X509Certificate[],
  { domain, now }: { readonly domain: string; readonly now: Date },
): readonly CertificateFault[] {
  return findingsOf(chain, { domain, now }, (leaf, others) => pathToEnd(leaf, others, now)).faults;
}

type FindPath = (leaf: X509Certificate, others: readonly X509Certificate[]) => readonly X509Certificate[];

function findingsOf(
  [leaf, ...others]: readonly X509Certificate[],
  expected: { readonly domain: string; readonly now: Date },
  findPath: FindPath,
): CertificateFindings {
  if (!leaf || others.length >= MAX_CERTIFICATES) return MALFORMED;
  try {
    const path = findPath(leaf, others);
    return { faults: faultsOf(leaf, path, expected), leaf, path };
  } catch {
    // Node parses extensions lazily, and the structured parser throws on broken ones.
    return MALFORMED;
  }
}

function faultsOf(
  leaf: X509Certificate,
  path: readonly X509Certificate[],
  { domain, now }: { readonly domain: string; readonly now: Date },
): CertificateFault[] {
  const { commonNames, dnsNames, digitalSignature } = certificateFacts(leaf);
  const found: [CertificateFault, boolean][] = [
    ['self-signed', isSelfSigned(leaf)],
    ['untrusted', path.length === 0],
    ['not-yet-valid', now < leaf.validFromDate],
    ['expired', now > leaf.validToDate],
    ['common-name', commonNames.length !== 1 || commonNames[0] !== domain],
    ['alternative-name', !dnsNames.includes(domain)],
    ['key-usage', digitalSignature !== true],
    ['key-unfit', !isFitRsaKey(leaf.publicKey)],
  ];
  return found.filter(([, isSo]) => isSo).map(([fault]) => fault);
}

interface Trust {
  readonly trusted: readonly X509Certificate[];
  readonly now: Date;
}

/**
 * The shortest path. Each authority is tried once, with the fewest others below it: with more of them it leads nowhere else,
 * and no file makes the search long.
 */
function pathOf(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  { trusted, now }: Trust,
): readonly X509Certificate[] {
  const left = new Set(others);
  const reached: { readonly certificate: X509Certificate; readonly below: readonly X509Certificate[] }[] = [
    { certificate: leaf, below: [] },
  ];
  for (const { certificate, below } of reached) {
    if (!isSoundlySigned(certificate)) continue;
    const issues = (issuer: X509Certificate) =>
      isIssuedBy(certificate, issuer) &&
      isInDate(issuer, now) &&
      isFitAuthorityKey(issuer.publicKey) &&
      certificateFacts(issuer).maxPathLength >= below.length;
    const path = [...below, certificate];
    const anchor = trusted.find(issues);
    if (anchor) return [...path, anchor];
    for (const issuer of [...left].filter(issues)) {
      left.delete(issuer);
      reached.push({ certificate: issuer, below: path });
    }
  }
  return [];
}

/** The unknown issuer of the last certificate is accepted, unless the certificate is self-signed. */
function pathToEnd(leaf: X509Certificate, others: readonly X509Certificate[], now: Date): readonly X509Certificate[] {
  const end = others.at(-1) ?? leaf;
  if (!isSelfSigned(end) && !isSoundlySigned(end)) return [];
  return end === leaf ? [leaf] : pathOf(leaf, others, { trusted: [end], now });
}

/** Regardless of the issuer's name and of its right to issue. */
const isSelfSigned = (certificate: X509Certificate): boolean => certificate.verify(certificate.publicKey);

/** An unknown critical extension, such as name constraints, must not be ignored. */
function isSoundlySigned(certificate: X509Certificate): boolean {
  const { signatureHash, unknownCritical } = certificateFacts(certificate);
  return SAFE_HASHES.has(signatureHash ?? '') && unknownCritical.length === 0;
}

const isFitAuthorityKey = (key: KeyObject): boolean => key.asymmetricKeyType === 'ec' || isFitRsaKey(key);

function certificatesOf(pem: string): X509Certificate[] {
  try {
    return readCertificates(pem);
  } catch {
    return [];
  }
}
