import type { ApiVersion, Regulation, RequestStatus, RequestType, ParticipantExtension } from '../words';

// The records of the interface as a controller sees them (interface.md, "Resources and their fields").

/** Whom a request is about. Hashed identities are not supported: the format is always `raw`. */
export interface Identity {
  readonly identity_type: string;
  readonly identity_value: string;
  readonly identity_format: 'raw';
}

/** What stands under the processor's domain in `extensions`. */
export interface OwnExtension {
  /** Signed 64-bit integers. A number beyond 2^53 has lost digits already: give such an id as bigint or as decimal string. */
  readonly mpids?: readonly (number | bigint | string)[];
  readonly identities?: readonly { readonly identity_type: string; readonly identity_value: string }[];
}

interface CommonRequest {
  /** The caller's own id of the request, a UUID of version 4. It makes a create safe to repeat, so keep it before you send it. */
  readonly subject_request_id: string;
  readonly subject_request_type: RequestType;
  /** ISO 8601: when the data subject asked. */
  readonly submitted_time: string;
  readonly subject_identities?: readonly Identity[];
  readonly status_callback_urls?: readonly string[];
  /** 1 to 256 characters; at most 150 requests share one. */
  readonly group_id?: string;
  /** By processor domain. */
  readonly extensions?: Readonly<Record<string, OwnExtension | object>>;
}

/** The body of a create; version 1 knows no regulation. */
export type CreateRequest<V extends ApiVersion = '2.0'> = V extends '2.0'
  ? CommonRequest & { readonly regulation: Regulation }
  : CommonRequest;

export interface CreationReceipt {
  readonly expected_completion_time: string;
  readonly received_time: string;
  /** Base64 of the body as the service received it: personal data, like the request itself. */
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

/** One try to deliver a callback. */
export interface DeliveryAttempt {
  readonly attempt: number;
  readonly time: string;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly duration_ms: number | null;
}

/** A callback and what became of it: an addition of this service to the interface. */
export interface LedgerEntry {
  readonly delivery_id: string;
  /** Null once the personal data of the request is gone. */
  readonly status_callback_url: string | null;
  readonly request_status: RequestStatus;
  readonly status_time: string;
  readonly state: 'waiting' | 'delivered' | 'given_up';
  readonly reason: 'gone' | 'exhausted' | 'key_destroyed' | null;
  readonly attempt_count: number;
  readonly next_attempt_time: string | null;
  /** The last 50. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface Ledger {
  readonly subject_request_id: string;
  readonly callbacks: readonly LedgerEntry[];
}
