import type { CallbackAttempted, CallbackGivenUp, CallbackQueued, RequestStatus } from '@opendsr-service/contracts';

/** What the callback-dispatcher says of one callback. */
export type CallbackEvent = CallbackQueued | CallbackAttempted | CallbackGivenUp;

/** One try of a callback. Where there was no answer nothing is kept that would tell why. */
export interface Attempt {
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: CallbackAttempted['outcome'];
  readonly httpStatus?: number;
  readonly durationMs?: number;
}

/** How a callback stands. A time to be sent at is all that its sender may still change. */
export type Standing =
  | { readonly state: 'waiting'; readonly nextAt?: Date }
  | { readonly state: 'delivered' }
  | { readonly state: 'given_up'; readonly reason: CallbackGivenUp['reason'] };

/** What is known of one callback: one status of one request for one URL. It holds nothing of a person. */
export interface LedgerEntry {
  /** `<ws>:<srid>|<destination>|<version>`, the version at one width, so that those of a request stand side by side, in order for each URL. */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** Keyed hash of the URL, as in the admission's `callbacks`. */
  readonly destination: string;
  /** Of the request event that changed the status. */
  readonly version: number;
  /** The id that every try carries. */
  readonly delivery: string;
  readonly status: RequestStatus;
  /** When the status changed; absent where the callback was queued before there was a ledger. */
  readonly statusAt?: Date;
  readonly standing: Standing;
  readonly attemptCount: number;
  /** The last of them, the earliest first. */
  readonly attempts: readonly Attempt[];
  /** Of the last queueing that was taken in: what is not later comes again. */
  readonly queuedAt?: Date;
  /** Ids of the last givings up that were taken in: what is among them comes again. Their times tell nothing, for they are those of several clocks. */
  readonly givenUps?: readonly string[];
  /** How many events have changed it: a write names the number that it saw. */
  readonly rev: number;
}
