import type { X509Certificate } from 'node:crypto';
import { expiryNotice, certificateFacts, type CertificateFault } from '@opendsr-service/signing';
import { onOneLine } from '../on-one-line';

const DAY_MS = 86_400_000;

/** The facts of a certificate, by label. */
export function certificateLines(leaf: X509Certificate, now: Date): [label: string, value: string][] {
  const { commonNames, dnsNames } = certificateFacts(leaf);
  const { asymmetricKeyType = 'unknown', asymmetricKeyDetails } = leaf.publicKey;
  return [
    ['subject', onOneLine(leaf.subject)],
    ['names', onOneLine([...new Set([...commonNames, ...dnsNames])].join(', '))],
    ['issuer', onOneLine(leaf.issuer)],
    ['serial', leaf.serialNumber.toLowerCase()],
    ['valid', `${leaf.validFromDate.toISOString()} to ${leaf.validToDate.toISOString()}, ${leftOf(leaf, now)}`],
    ['key', `${asymmetricKeyType.toUpperCase()}, ${asymmetricKeyDetails?.modulusLength ?? 'unknown'} bits`],
    ['sha-256', leaf.fingerprint256.replaceAll(':', '').toLowerCase()],
    ['sha-1', leaf.fingerprint.replaceAll(':', '').toLowerCase()],
  ];
}

const leftOf = (leaf: X509Certificate, now: Date): string =>
  expiryNotice(leaf.validToDate, now) === 0 ? 'over' : daysLeft(leaf, now);

function daysLeft(leaf: X509Certificate, now: Date): string {
  const days = Math.floor((leaf.validToDate.getTime() - now.getTime()) / DAY_MS);
  return `${days} ${days === 1 ? 'day' : 'days'} left`;
}

/** Warns of a certificate that expires soon; undefined before that, and after its expiry, which is a fault. */
export function warningOf(leaf: X509Certificate, now: Date): string | undefined {
  const notice = expiryNotice(leaf.validToDate, now);
  return notice
    ? `it ends within ${notice} days, at ${leaf.validToDate.toISOString()}: ${daysLeft(leaf, now)}`
    : undefined;
}

export const RECEIVERS_REFUSE: Readonly<Record<CertificateFault, string>> = {
  malformed: 'the file cannot be read as a chain',
  untrusted: 'it does not lead to a trusted authority (--trust names others)',
  'self-signed': 'it is self-signed',
  'not-yet-valid': 'it is not valid yet',
  expired: 'it has expired',
  'common-name': 'its common name is not exactly the processor domain',
  'alternative-name': 'its alternative names lack the processor domain',
  'key-usage': 'its key usage lacks digitalSignature',
  'key-unfit': 'its key is not RSA of at least 2048 bits',
};
