import type { CallbackAttempted, CallbackGivenUp, CallbackQueued, RequestStatus } from '@opendsr-service/contracts';

export type CallbackEvent = CallbackQueued | CallbackAttempted | CallbackGivenUp;

/** Without an answer, no detail is kept. */
export interface Attempt {
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: CallbackAttempted['outcome'];
  readonly httpStatus?: number;
  readonly durationMs?: number;
}

export type Standing =
  | { readonly state: 'waiting'; readonly nextAt?: Date }
  | { readonly state: 'delivered' }
  | { readonly state: 'given_up'; readonly reason: CallbackGivenUp['reason'] };

/** One status of one request for one URL, without personal data. */
export interface LedgerEntry {
  /** `<ws>:<srid>|<destination>|<version>`; the version is padded, so ids sort by URL and version. */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** Keyed hash of the URL. */
  readonly destination: string;
  /** Version of the request event that changed the status. */
  readonly version: number;
  readonly delivery: string;
  readonly status: RequestStatus;
  /** Absent where the log no longer holds the queueing. */
  readonly statusAt?: Date;
  readonly standing: Standing;
  readonly attemptCount: number;
  readonly attempts: readonly Attempt[];
  /** Time of the last queueing; an earlier one is a repeat. */
  readonly queuedAt?: Date;
  /** Ids identify repeats, since the times come from several clocks. */
  readonly givenUps?: readonly string[];
  /** Raised by each change, for compare-and-set. */
  readonly rev: number;
}
