import type { X509Certificate } from 'node:crypto';
import { factsOf, isInDate, isIssuedBy, readCertificates } from './certificate';

export type CertificateFault =
  | 'malformed'
  | 'untrusted'
  | 'self-signed'
  | 'not-yet-valid'
  | 'expired'
  | 'common-name'
  | 'alternative-name'
  | 'key-usage';

export interface CertificateExpectation {
  /** The string of the header `X-OpenDSR-Processor-Domain`. */
  readonly domain: string;
  /** The authorities that the receiver trusts. */
  readonly trustPem: string;
  readonly now: Date;
}

/** Real chains have two to four; the search tries every order. */
const MAX_CERTIFICATES = 8;

/**
 * The checks that a receiver makes of a processor's certificate before it believes a signature, revocation excepted (protocol-notes,
 * "Certificate checks by a receiver"). `chainPem` is the published file, leaf first. Every fault is named; none means trusted.
 */
export function checkCertificate(chainPem: string, { domain, trustPem, now }: CertificateExpectation): CertificateFault[] {
  const chain = certificatesOf(chainPem);
  const [leaf, ...others] = chain;
  if (!leaf || chain.length > MAX_CERTIFICATES) return ['malformed'];
  const { commonNames, dnsNames, digitalSignature } = factsOf(leaf);
  const selfSigned = leaf.checkIssued(leaf) && leaf.verify(leaf.publicKey);
  const found: [CertificateFault, boolean][] = [
    ['self-signed', selfSigned],
    ['untrusted', !leadsTo(leaf, others, { trusted: certificatesOf(trustPem), now })],
    ['not-yet-valid', now < leaf.validFromDate],
    ['expired', now > leaf.validToDate],
    ['common-name', commonNames.length !== 1 || commonNames[0] !== domain],
    ['alternative-name', !dnsNames.includes(domain)],
    ['key-usage', digitalSignature !== true],
  ];
  return found.filter(([, isSo]) => isSo).map(([fault]) => fault);
}

interface Trust {
  readonly trusted: readonly X509Certificate[];
  readonly now: Date;
}

/** `below` are the authorities that the path passed already; none stands in it twice, so that the search ends. */
function leadsTo(certificate: X509Certificate, others: readonly X509Certificate[], { trusted, now }: Trust, below = 0): boolean {
  const issues = (issuer: X509Certificate) =>
    isInDate(issuer, now) && isIssuedBy(certificate, issuer) && factsOf(issuer).maxPathLength >= below;
  if (trusted.some(issues)) return true;
  return others.some((other) => issues(other) && leadsTo(other, others.filter((rest) => rest !== other), { trusted, now }, below + 1));
}

function certificatesOf(pem: string): X509Certificate[] {
  try {
    return readCertificates(pem);
  } catch {
    return [];
  }
}
