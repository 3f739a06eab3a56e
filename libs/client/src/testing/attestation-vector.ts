import type { AttestationCheckName, AttestationVerdict } from '../attestation/types';
import { verifyAttestation } from '../attestation/verify-attestation';

/** A published case with its expected verdict (vectors/attestations/README.md). */
export interface AttestationVector {
  readonly name: string;
  readonly description: string;
  readonly file_base64: string;
  readonly trust_pem: string;
  readonly allowed_domains: readonly string[];
  /** Absent: the log is not checked. */
  readonly log_key?: string;
  readonly witness_keys?: readonly string[];
  readonly now: string;
  readonly expected: { readonly valid: boolean; readonly failed?: AttestationCheckName };
}

export const attestationVerdictOf = (vector: AttestationVector): AttestationVerdict =>
  verifyAttestation(Buffer.from(vector.file_base64, 'base64'), {
    allowedDomains: vector.allowed_domains,
    trust: vector.trust_pem,
    ...(vector.log_key !== undefined && { logKey: vector.log_key }),
    ...(vector.witness_keys && { witnessKeys: vector.witness_keys }),
    now: () => new Date(vector.now),
  });
