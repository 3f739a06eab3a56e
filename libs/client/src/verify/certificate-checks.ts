import type { CertificateFault, CertificateFindings } from '@opendsr-service/signing';
import type { Check, CheckName } from './types';

type CertificateCheckName = Extract<CheckName, 'certificate' | 'chain' | 'names' | 'dates' | 'usage'>;

const FAULTS: readonly (readonly [CertificateCheckName, Partial<Record<CertificateFault, string>>])[] = [
  ['certificate', { malformed: 'holds no readable certificates' }],
  [
    'chain',
    {
      'self-signed': 'the certificate is self-signed',
      untrusted: 'no path of valid certificates leads to a trusted authority',
    },
  ],
  [
    'names',
    {
      'common-name': 'the common name is not the processor domain',
      'alternative-name': 'the processor domain is not among the alternative names',
    },
  ],
  ['dates', { 'not-yet-valid': 'the certificate is not yet valid', expired: 'the certificate has expired' }],
  [
    'usage',
    { 'key-usage': 'the key usage lacks digitalSignature', 'key-unfit': 'the key is not RSA of at least 2048 bits' },
  ],
];

/** Checks up to the first failure. `origin` names the source of the certificate. */
export function certificateChecks(
  { faults, leaf, path }: CertificateFindings,
  origin: string,
): Check<CertificateCheckName>[] {
  const passed: Record<CertificateCheckName, string> = {
    certificate: origin,
    chain: `leads to ${path.at(-1)?.subject.replaceAll('\n', ', ') ?? ''}`,
    names: 'common name and alternative name are the processor domain',
    dates: leaf ? `valid from ${leaf.validFromDate.toISOString()} to ${leaf.validToDate.toISOString()}` : '',
    usage: `digitalSignature, RSA of ${String(leaf?.publicKey.asymmetricKeyDetails?.modulusLength)} bits`,
  };
  const checks = FAULTS.map(([check, details]) => {
    const fault = faults.find((one) => details[one] !== undefined);
    const detail = fault === undefined ? passed[check] : (details[fault] ?? '');
    return {
      check,
      passed: fault === undefined,
      detail: check === 'certificate' && fault !== undefined ? `${origin} ${detail}` : detail,
    };
  });
  return upToFirstFailure(checks);
}

export function upToFirstFailure<Name extends string>(checks: readonly Check<Name>[]): Check<Name>[] {
  const failed = checks.findIndex(({ passed }) => !passed);
  return checks.slice(0, failed === -1 ? checks.length : failed + 1);
}
