export {
  DsrClient,
  type AttestationCallOptions,
  type CallOptions,
  type Cancelled,
  type ClientOptions,
  type Created,
  type CreateOptions,
} from './api/dsr-client';
export { DsrApiError, DsrConnectionError, DsrSignatureError, type ErrorEntry } from './api/errors';
export type * from './api/records';
export type { Results } from './api/results';
export type { RetryOptions } from './api/retry';
export type { Surroundings } from './api/transport';
export type * from './attestation/attestation';
export { attestationContent } from './attestation/attestation-content';
export * from './attestation/types';
export { verifyAttestation } from './attestation/verify-attestation';
export { fastifyCallbacks } from './middleware/fastify';
export { expressCallbacks, nestCallbacks, nodeCallbacks } from './middleware/node';
export { BodyAlreadyReadError, rawBodyOf, type RequestStream } from './middleware/raw-body';
export type { CallbackHandler, CallbackOptions, Rejection, VerifiedCallback } from './middleware/receive';
export * from './verify/types';
export { createVerifier, type Verifier } from './verify/verifier';
export { verifyCallback } from './verify/verify-callback';
export type * from './words';
