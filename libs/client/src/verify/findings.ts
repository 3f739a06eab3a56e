import type { KeyObject, X509Certificate } from 'node:crypto';
import { examineCertificate } from '@opendsr-service/signing';
import { certificateChecks } from './certificate-checks';
import type { Published } from './certificates.client';
import { after } from './cached-reading';
import type { Check } from './types';

const BAD_KEPT_MS = 10_000;

export interface Findings {
  readonly checks: readonly Check[];
  /** From the leaf to the trusted authority. */
  readonly path: readonly X509Certificate[];
  /** Undefined after a failed check. */
  readonly key: KeyObject | undefined;
}

interface KeptFindings {
  readonly findings: Findings;
  readonly domain: string;
  readonly from: Date;
  readonly until: Date;
}

/** Caches findings while the path is valid: a path costs fifty times a signature. */
export function keepFindings(
  trusted: () => readonly X509Certificate[],
): (published: Published, domain: string, now: Date) => Findings {
  const kept = new WeakMap<Published, KeptFindings>();
  return (published, domain, now) => {
    const known = kept.get(published);
    if (known && known.domain === domain && known.from <= now && now <= known.until) return known.findings;
    const found = examineCertificate(published.pem, { domain, trusted: trusted(), now });
    const isGood = found.faults.length === 0;
    const findings = {
      checks: certificateChecks(found, published.origin),
      path: found.path,
      key: isGood ? found.leaf?.publicKey : undefined,
    };
    kept.set(published, {
      findings,
      domain,
      ...(isGood ? timeOf(found.path) : { from: now, until: after(now, BAD_KEPT_MS) }),
    });
    return findings;
  };
}

function timeOf(path: readonly X509Certificate[]): { readonly from: Date; readonly until: Date } {
  const [from, until] = [
    path.map(({ validFromDate }) => validFromDate.getTime()),
    path.map(({ validToDate }) => validToDate.getTime()),
  ];
  return { from: new Date(Math.max(...from)), until: new Date(Math.min(...until)) };
}
