import type { KeyObject, X509Certificate } from 'node:crypto';
import { examineCertificate, type CertificateFindings } from '@opendsr-service/signing';
import type { Published } from './certificates.client';

/** What is known of a certificate, and what is needed of it for each callback. */
export interface Findings extends CertificateFindings {
  readonly key: KeyObject | undefined;
}

interface KeptFindings {
  readonly findings: Findings;
  readonly domain: string;
  readonly from: Date;
  readonly until: Date;
}

/**
 * Examines certificates, and keeps what it found of good ones for as long as all of their path is in date: a path costs some ten times what
 * the signature of a callback does.
 */
export function keepFindings(trusted: () => readonly X509Certificate[]): (published: Published, domain: string, now: Date) => Findings {
  const kept = new WeakMap<Published, KeptFindings>();
  return (published, domain, now) => {
    const known = kept.get(published);
    if (known && known.domain === domain && known.from <= now && now <= known.until) return known.findings;
    const found = examineCertificate(published.pem, { domain, trusted: trusted(), now });
    const findings = { ...found, key: found.leaf?.publicKey };
    const [from, until] = [found.path.map(({ validFromDate }) => validFromDate), found.path.map(({ validToDate }) => validToDate)];
    if (found.faults.length === 0) kept.set(published, { findings, domain, from: latestOf(from), until: earliestOf(until) });
    return findings;
  };
}

const latestOf = (times: readonly Date[]): Date => new Date(Math.max(...times.map((time) => time.getTime())));
const earliestOf = (times: readonly Date[]): Date => new Date(Math.min(...times.map((time) => time.getTime())));
