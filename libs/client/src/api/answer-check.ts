import type { VerifyOptions } from '../verify/types';
import { createVerifier } from '../verify/verifier';
import { DsrSignatureError } from './errors';

/** Rejects with a DsrSignatureError for an answer that is not to be believed. */
export type AnswerCheck = (body: Uint8Array, headers: Headers) => Promise<void>;

/** The check of signed answers under these options; without any, everything passes. */
export function answerCheck(options: Omit<VerifyOptions, 'callbackUrls'> | undefined): AnswerCheck {
  if (!options) return () => Promise.resolve();
  const verifier = createVerifier({ ...options, callbackUrls: [] });
  return async (body, headers) => {
    const verdict = await verifier.verifySigned(body, headers);
    if (!verdict.valid) throw new DsrSignatureError(verdict.failed, verdict.checks);
  };
}
