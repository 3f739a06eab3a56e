/** Whom the viewer believes about this service. */
export interface Trust {
  /** Domains of the processor. */
  readonly domains: readonly string[];
  /** PEM; empty: none is known. */
  readonly authorities: string;
  /** The verifier key of the transparency log. */
  readonly logKey: string;
}

/** Reads what was kept; undefined for anything else. */
export function readTrust(text: string | null): Trust | undefined {
  try {
    const { domains, authorities, logKey } = JSON.parse(text ?? '') as Partial<Record<keyof Trust, unknown>>;
    const isTrust = Array.isArray(domains) && typeof authorities === 'string' && typeof logKey === 'string';
    return isTrust ? { domains: domains.map(String), authorities, logKey } : undefined;
  } catch {
    return undefined;
  }
}

export const authoritiesIn = (pem: string): number => pem.match(/-----BEGIN CERTIFICATE-----/g)?.length ?? 0;
