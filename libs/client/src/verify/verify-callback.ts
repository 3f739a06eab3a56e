import type { HeaderSource, Verdict, VerifyOptions } from './types';
import { createVerifier, type Verifier } from './verifier';

const verifiers = new WeakMap<VerifyOptions, Verifier>();

/**
 * Every check that a controller owes a callback before it believes it (interface.md, "Callback authenticity"; protocol-notes, "Certificate
 * checks by a receiver"). `rawBody` is the body as it came, byte for byte. What was fetched is kept for each options object, so pass the same
 * one each time. Rejects with a TypeError for options that cannot be used, never for what a stranger sent.
 */
export async function verifyCallback(
  rawBody: Uint8Array,
  headers: HeaderSource,
  options: VerifyOptions,
): Promise<Verdict> {
  const verifier = verifiers.get(options) ?? createVerifier(options);
  verifiers.set(options, verifier);
  return verifier.verify(rawBody, headers);
}
