import type { HeaderSource, Verdict, VerifyOptions } from './types';
import { createVerifier, type Verifier } from './verifier';

const verifiers = new WeakMap<VerifyOptions, Verifier>();

/**
 * Runs every check of a callback (protocol, "Callback authenticity", "Certificate checks by a receiver").
 * Pass the same options object each time: it keys the cache. Rejects only with a TypeError on invalid options.
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
