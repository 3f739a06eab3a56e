import type { HeaderSource, SignedVerdict, Verdict, VerifyOptions } from './types';

/** Verifies callbacks for one set of options, and keeps what it has fetched for that. */
export interface Verifier {
  /** Never rejects for what a stranger sent: whatever is wrong is in the verdict. */
  verify(rawBody: Uint8Array, headers: HeaderSource): Promise<Verdict>;
  /** The checks up to the signature, for a signed answer of the DSR endpoints: what its body says and to whom is not looked at. CLIENT's DsrClient needs it. */
  verifySigned(rawBody: Uint8Array, headers: HeaderSource): Promise<SignedVerdict>;
}

/** A verifier for these options. Throws a TypeError where they cannot be used. */
export function createVerifier(options: VerifyOptions): Verifier {
  if (options.timeoutMs === 0) throw new TypeError('timeoutMs is above 0');
  const checks = [{ check: 'headers', passed: false, detail: 'callbacks are not verified yet' }] as const;
  const refused = () => Promise.resolve({ valid: false, failed: 'headers', checks } as const);
  return { verify: refused, verifySigned: refused };
}
