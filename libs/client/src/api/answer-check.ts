import type { VerifyOptions } from '../verify/types';
import { createVerifier } from '../verify/verifier';
import { DsrSignatureError } from './errors';

export type AnswerCheck = (body: Uint8Array, headers: Headers) => Promise<void>;

/** Rejects with a DsrSignatureError. Without options, every answer passes. */
export function answerCheck(options: Omit<VerifyOptions, 'callbackUrls'> | undefined): AnswerCheck {
  if (!options) return () => Promise.resolve();
  const verifier = createVerifier({ ...options, callbackUrls: [] });
  return async (body, headers) => {
    const verdict = await verifier.verifySigned(body, headers);
    if (!verdict.valid) throw new DsrSignatureError(verdict.failed, verdict.checks);
  };
}
