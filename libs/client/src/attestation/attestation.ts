import type { ApiVersion, Regulation, RequestType } from '../words';

// A published package cannot import contracts; verify-attestation.spec.ts proves that both agree.

/** How an attestation names a share of a request. */
export interface AttestedParticipant {
  readonly name: string;
  readonly domain?: string | undefined;
  readonly status: 'completed' | 'sent' | 'skipped' | 'failed';
  readonly reportedAt: string;
  readonly waivedBy?: string | undefined;
}

/** What an erasure destroyed, as far as it is counted. */
export interface AttestedDestruction {
  readonly profiles?: number | undefined;
  readonly batches?: number | undefined;
  readonly archives?: number | undefined;
  readonly keys?: number | undefined;
  readonly tombstones?: readonly string[] | undefined;
  /** How many of the keys have a tombstone that is not named; 0: the list is whole. */
  readonly unnamedTombstones?: number | undefined;
}

/** Which stages of an erasure had been reached. */
export interface AttestedErasure {
  readonly secondPass: boolean;
  readonly generation?: number | undefined;
  readonly generationDestroyedAt?: string | undefined;
  readonly backups?: string | undefined;
}

/** What a processor attests of a request that has ended; times are ISO 8601. */
export interface Attestation {
  /** 2: the generation of the destroyed keys is gone as well. */
  readonly statement: 1 | 2;
  /** SHA-256 of the first envelope, base64url. */
  readonly previous?: string | undefined;
  readonly workspace: string;
  readonly controllerId: string;
  /** The `subject_request_id`. */
  readonly requestId: string;
  readonly requestType: RequestType;
  readonly regulation?: Regulation | undefined;
  readonly interfaceVersion: ApiVersion;
  readonly receivedAt: string;
  readonly startedAt?: string | undefined;
  readonly endedAt: string;
  readonly outcome: 'completed' | 'cancelled';
  readonly legalDueAt?: string | undefined;
  readonly legalDateKept?: boolean | undefined;
  readonly extension?: { readonly extendedUntil: string; readonly decidedAt: string } | undefined;
  readonly participants: readonly AttestedParticipant[];
  readonly destroyed?: AttestedDestruction | undefined;
  readonly erasure?: AttestedErasure | undefined;
}
