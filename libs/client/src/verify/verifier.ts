import type { HeaderSource, Verdict, VerifyOptions } from './types';

/** Verifies callbacks for one set of options, and keeps what it has fetched for that. */
export interface Verifier {
  /** Never rejects for what a stranger sent: whatever is wrong is in the verdict. */
  verify(rawBody: Uint8Array, headers: HeaderSource): Promise<Verdict>;
}

/** A verifier for these options. Throws a TypeError where they cannot be used. */
export function createVerifier(options: VerifyOptions): Verifier {
  if (options.timeoutMs === 0) throw new TypeError('timeoutMs is above 0');
  const checks = [{ check: 'headers', passed: false, detail: 'callbacks are not verified yet' }] as const;
  return { verify: () => Promise.resolve({ valid: false, failed: 'headers', checks }) };
}
