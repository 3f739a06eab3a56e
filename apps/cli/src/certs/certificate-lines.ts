import type { X509Certificate } from 'node:crypto';
import { expiryNotice, certificateFacts, type CertificateFault } from '@opendsr-service/signing';
import { onOneLine } from '../on-one-line';

const DAY_MS = 86_400_000;

/** What is known of a certificate, label by label. */
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

/** The reminder that a certificate ends soon; undefined while there is time, and once it is over, which is a fault. */
export function warningOf(leaf: X509Certificate, now: Date): string | undefined {
  const notice = expiryNotice(leaf.validToDate, now);
  return notice
    ? `it ends within ${notice} days, at ${leaf.validToDate.toISOString()}: ${daysLeft(leaf, now)}`
    : undefined;
}

/** Why receivers refuse a certificate, in words. */
export const RECEIVERS_REFUSE: Readonly<Record<CertificateFault, string>> = {
  malformed: 'the file cannot be read as a chain',
  untrusted: 'it leads to no authority that is trusted here (--trust names others)',
  'self-signed': 'it is signed by itself',
  'not-yet-valid': 'it is not valid yet',
  expired: 'it has expired',
  'common-name': 'its common name is not the processor domain alone',
  'alternative-name': 'its alternative names lack the processor domain',
  'key-usage': 'its usage does not name digitalSignature',
  'key-unfit': 'its key is not RSA of at least 2048 bits',
};
