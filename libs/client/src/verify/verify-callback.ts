import type { HeaderSource, Verdict, VerifyOptions } from './types';
import { createVerifier, type Verifier } from './verifier';

const verifiers = new WeakMap<VerifyOptions, Verifier>();

/**
 * Runs every check of a callback (protocol,
 * "Callback authenticity", "Certificate checks by a receiver"). `rawBody` is the received body. Downloads are cached
 * by the options object, so pass the same one each
 * time. Rejects with a TypeError for invalid options, never for what a sender sent.
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
