export { CHECK_NAMES, type CallbackBody, type CallbackExtension, type Check, type CheckName, type HeaderSource, type InvalidVerdict, type ValidVerdict, type Verdict, type VerifyOptions } from './verify/types';
export { createVerifier, type Verifier } from './verify/verifier';
export { verifyCallback } from './verify/verify-callback';
