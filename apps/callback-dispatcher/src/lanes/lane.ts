import type { ApiVersion, LaneSettled, ParticipantExtension, RequestStatus, RequestType } from '@opendsr-service/contracts';

/** A status change that its receiver has not heard of yet. */
export interface PendingCallback {
  /** Version of the event that made the change. */
  readonly v: number;
  readonly status: RequestStatus;
  /** When the status changed. */
  readonly at: string;
  /** How outside participants stood then, where some take part: kept, so that every try sends the same bytes. */
  readonly extensions?: readonly ParticipantExtension[];
}

/** Why callbacks were taken off a lane without being delivered. */
export type GivenUpReason = 'exhausted' | 'gone' | 'key-destroyed';

export interface GivenUp extends PendingCallback {
  readonly reason: GivenUpReason;
  readonly givenUpAt: Date;
}

/**
 * What one URL of one request is told, in order (D7): one lane has one sender at a time. It stays when it is empty, so that
 * a replay of the log sends nothing twice.
 */
export interface Lane {
  /** `<ws>:<srid>|<lane>` */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** Keyed hash of the URL. */
  readonly lane: string;
  /** Version of the last request event applied. */
  readonly v: number;
  readonly pending: readonly PendingCallback[];
  /** When it is sent next, or until when it is being sent; set while `pending` holds something. */
  readonly dueAt?: Date;
  /** Of whoever claimed it last: only that one may finish. */
  readonly token?: string;
  /** Failed tries of the first pending callback, and when the first of them was. */
  readonly tries?: number;
  readonly failingSince?: Date;
  /** The receiver said that it is gone for good: nothing is sent here any more. */
  readonly goneAt?: Date;
  /** How the lane was settled, once nothing will be sent on it any more. */
  readonly outcome?: LaneSettled['outcome'];
  /** Since when it is settled; set until the log has been told. */
  readonly tellAt?: Date;
  readonly givenUp?: readonly GivenUp[];
  readonly controllerId: string;
  readonly apiVersion: ApiVersion;
  readonly type: RequestType;
  readonly expectedAt: string;
  readonly kid: string;
  /** Sealed URL. */
  readonly url: string;
}

/** A settled lane that the log has not heard of. */
export type SettledLane = Lane & Required<Pick<Lane, 'outcome' | 'tellAt'>>;

/** A lane whose sender holds its lease. */
export type ClaimedLane = Lane & Required<Pick<Lane, 'dueAt' | 'token'>>;
