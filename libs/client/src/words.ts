// A published package cannot import contracts; words.spec.ts proves that both agree.

export type ApiVersion = '1.0' | '2.0';
export type Regulation = 'gdpr' | 'ccpa';
export type RequestType = 'access' | 'portability' | 'erasure';
export type RequestStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled';

/** The state of an outside participant. */
export interface ParticipantExtension {
  readonly domain: string;
  readonly name: string;
  readonly status: 'pending' | 'skipped' | 'sent' | 'failed';
  readonly status_message: string | null;
}

/** See protocol, "Callback body". */
export interface SentCallbackBody {
  readonly controller_id: string;
  readonly expected_completion_time: string;
  readonly status_callback_url: string;
  readonly subject_request_id: string;
  readonly request_status: RequestStatus;
  readonly api_version: ApiVersion;
  readonly results_url: string | null;
  readonly extensions: readonly ParticipantExtension[] | null;
}
