import type { X509Certificate } from 'node:crypto';
import { certificateFacts, MIN_MODULUS_BITS } from './certificate';
import { faultsForAnyReceiver, type CertificateFault } from './check-certificate';
import { SigningError, type SigningFault } from './signing-error';

interface Purpose {
  readonly chainFile: string;
  readonly domain: string;
  readonly now: Date;
}

interface Refusal {
  readonly kind: SigningFault;
  /** Completes "the certificate in FILE …". */
  readonly reason: (leaf: X509Certificate, purpose: Purpose) => string;
}

const NAMES: Refusal = {
  kind: 'names',
  reason: (leaf, { domain }) => {
    const { commonNames, dnsNames } = certificateFacts(leaf);
    const seen = `CN ${commonNames.join(', ') || 'none'}; alternative names ${dnsNames.join(', ') || 'none'}`;
    return `must carry ${domain} as its only common name and as alternative name (${seen})`;
  },
};

const DATES: Refusal = {
  kind: 'dates',
  reason: ({ validFromDate, validToDate }) =>
    `is valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}, not now`,
};

const REFUSALS: Readonly<Record<CertificateFault, Refusal>> = {
  malformed: { kind: 'unreadable', reason: () => 'has a broken extension, or too many certificates after it' },
  untrusted: {
    kind: 'chain',
    reason: () =>
      'leads to no authority: it, or one after it, is signed with a hash other than SHA-2, has a ' +
      'critical extension that receivers do not know, or has an issuer that is out of date or not ' +
      'allowed to issue it',
  },
  'self-signed': { kind: 'chain', reason: () => 'is signed by itself' },
  'not-yet-valid': DATES,
  expired: DATES,
  'common-name': NAMES,
  'alternative-name': NAMES,
  'key-usage': { kind: 'usage', reason: () => 'lacks the key usage digitalSignature' },
  'key-unfit': { kind: 'key-unfit', reason: () => `has a key that is not RSA of at least ${MIN_MODULUS_BITS} bits` },
};

/** Throws a SigningError with all faults if every receiver would refuse the chain. */
export function refuseUnfit(chain: readonly [X509Certificate, ...X509Certificate[]], purpose: Purpose): void {
  const faults = faultsForAnyReceiver(chain, purpose);
  const [first] = faults;
  if (first === undefined) return;
  const refusals = new Set(faults.map((fault) => REFUSALS[fault]));
  const reasons = [...refusals].map(({ reason }) => reason(chain[0], purpose));
  throw new SigningError(
    REFUSALS[first].kind,
    `the certificate in ${purpose.chainFile} ${reasons.join('; it ')}`,
    faults,
  );
}
