import type { ApiVersion, Regulation, RequestStatus, RequestType, ParticipantExtension } from '../words';

// Records of the interface (protocol, "Resources and their fields").

/** The format is always `raw`. */
export interface Identity {
  readonly identity_type: string;
  readonly identity_value: string;
  readonly identity_format: 'raw';
}

export interface OwnExtension {
  /** Signed 64-bit integers; beyond 2^53 as bigint or decimal string. */
  readonly mpids?: readonly (number | bigint | string)[];
  readonly identities?: readonly { readonly identity_type: string; readonly identity_value: string }[];
}

interface CommonRequest {
  /** A UUID of version 4. Store it before sending: it makes a create safe to repeat. */
  readonly subject_request_id: string;
  readonly subject_request_type: RequestType;
  /** ISO 8601: when the data subject asked. */
  readonly submitted_time: string;
  readonly subject_identities?: readonly Identity[];
  readonly status_callback_urls?: readonly string[];
  /** At most 256 characters; at most 150 requests share one. Empty means none. */
  readonly group_id?: string;
  /** By processor domain. */
  readonly extensions?: Readonly<Record<string, OwnExtension | object>>;
}

/** Version 1 has no regulation. */
export type CreateRequest<V extends ApiVersion = '2.0'> = V extends '2.0'
  ? CommonRequest & { readonly regulation: Regulation }
  : CommonRequest;

export interface CreationReceipt {
  readonly expected_completion_time: string;
  readonly received_time: string;
  /** Base64 of the received body: personal data. */
  readonly encoded_request: string;
  readonly subject_request_id: string;
  readonly controller_id: string;
}

export interface CancellationReceipt {
  readonly expected_completion_time: null;
  readonly received_time: string;
  readonly subject_request_id: string;
  readonly controller_id: string;
}

export interface StatusRecord {
  readonly controller_id: string;
  readonly expected_completion_time: string;
  readonly subject_request_id: string;
  readonly group_id: string | null;
  readonly request_status: RequestStatus;
  readonly api_version: ApiVersion;
  readonly results_url: string | null;
  readonly extensions: readonly ParticipantExtension[] | null;
}

export interface Discovery {
  readonly api_version: ApiVersion;
  readonly supported_identities: readonly { readonly identity_type: string; readonly identity_format: string }[];
  readonly supported_subject_request_types: readonly string[];
  readonly processor_certificate: string;
}

export interface DeliveryAttempt {
  readonly attempt: number;
  readonly time: string;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly duration_ms: number | null;
}

/** Not part of OpenDSR. */
export interface LedgerEntry {
  readonly delivery_id: string;
  /** Null once the key of the request is destroyed. */
  readonly status_callback_url: string | null;
  readonly request_status: RequestStatus;
  /** Null where it was not recorded. */
  readonly status_time: string | null;
  readonly state: 'waiting' | 'delivered' | 'given_up';
  readonly reason: 'gone' | 'exhausted' | 'key_destroyed' | null;
  readonly attempt_count: number;
  readonly next_attempt_time: string | null;
  /** The last 50 attempts. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface Ledger {
  readonly subject_request_id: string;
  readonly callbacks: readonly LedgerEntry[];
}
