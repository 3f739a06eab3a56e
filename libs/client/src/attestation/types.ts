import type { Check, InvalidVerdict } from '../verify/types';
import type { Attestation } from './attestation';

/** Which processor and which log are trusted, and which request is meant. */
export interface AttestationOptions {
  /** The domains of the processor, one of which the certificate must name. */
  readonly allowedDomains: readonly string[];
  /** PEM. Default: the authorities of Node. */
  readonly trust?: string;
  /**
   * The verifier key of the processor's log (C2SP signed-note): the file must be a bundle, and its certificate must have been valid
   * when the log took the entry. Absent: the log is not checked, and the certificate must be valid now.
   */
  readonly logKey?: string;
  /** Verifier keys of witnesses (`cosignature/v1`), each of which must have cosigned the checkpoint. Needs `logKey`. */
  readonly witnessKeys?: readonly string[];
  /**
   * The `subject_request_id` that the attestation must be about, in any case. Absent: a valid attestation of any other request passes,
   * so compare `attestation.requestId` yourself.
   */
  readonly requestId?: string;
  readonly now?: () => Date;
}

/** In the order of execution; those from `checkpoint` to `entry` only with a `logKey`, `request` only with a `requestId`. */
export const ATTESTATION_CHECK_NAMES = [
  'format',
  'payload-type',
  'checkpoint',
  'witnesses',
  'inclusion',
  'entry',
  'certificate',
  'chain',
  'names',
  'dates',
  'usage',
  'signature',
  'statement-type',
  'predicate-type',
  'schema',
  'request',
] as const;
export type AttestationCheckName = (typeof ATTESTATION_CHECK_NAMES)[number];
export type AttestationCheck = Check<AttestationCheckName>;

/** What the file says. */
export interface AttestationContent {
  readonly attestation: Attestation;
  /** SHA-256 in base64url: of the receipt with its signature (absent where none was kept), and of the request's last event. */
  readonly subjects: { readonly receipt?: string | undefined; readonly events: string };
  /** SHA-256 of the envelope, base64url: the digest in the log, and `previous` of a second attestation. */
  readonly digest: string;
  /** The subject of the signing certificate; of an unverified file, that of its first signature. */
  readonly signedBy: string;
  /** The place in the log and the time of the entry; absent without a bundle or, in a verdict, without a `logKey`. */
  readonly logged?: { readonly index: number; readonly at: string } | undefined;
}

/** An attestation that this processor signed. */
export interface ValidAttestation extends AttestationContent {
  readonly valid: true;
  readonly domain: string;
  readonly checks: readonly AttestationCheck[];
}

export type AttestationVerdict = ValidAttestation | InvalidVerdict<AttestationCheckName>;
