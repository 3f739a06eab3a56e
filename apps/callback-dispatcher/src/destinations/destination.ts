import type {
  ApiVersion,
  DeliveryEvent,
  DestinationSettled,
  ParticipantExtension,
  RequestStatus,
  RequestType,
} from '@opendsr-service/contracts';

/** The facts of a callback's body, stored so that every attempt and replay sends the same bytes. */
export interface StatusChange {
  readonly v: number;
  readonly status: RequestStatus;
  readonly at: string;
  readonly extensions?: readonly ParticipantExtension[];
}

/** A callback to send; at most one of each version. */
export interface PendingCallback extends StatusChange {
  /** The id of the replay command. */
  readonly replay?: string;
}

export const MAX_REPLAYS_REMEMBERED = 50;

export type GivenUpReason = 'exhausted' | 'gone' | 'key-destroyed';

export interface PastCallback extends StatusChange {
  readonly reason?: GivenUpReason;
  readonly endedAt: Date;
}

/**
 * The ordered queue of one callback URL of a request (decision 7). It stays when it is empty, so that a replay sends nothing
 * twice.
 */
export interface Destination {
  /** `<ws>:<srid>|<destination>` */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** The request id as the controller wrote it, where that differs from `srid`. */
  readonly sentId?: string;
  /** Keyed hash of the URL. */
  readonly destination: string;
  /** How many destinations the request has, this one included. */
  readonly destinationCount: number;
  readonly v: number;
  readonly pending: readonly PendingCallback[];
  readonly past?: readonly PastCallback[];
  /** Attempts by version, replays included. */
  readonly attempts?: Readonly<Record<string, number>>;
  readonly replayed?: readonly string[];
  /** When it is sent next, or when its claim ends; set while `pending` is not empty. */
  readonly dueAt?: Date;
  /** Time of the oldest undelivered status change, replays excluded. Exact from the end of the current delivery run. */
  readonly undeliveredSince?: Date;
  readonly token?: string;
  /** Failed attempts since the last success, those that an open breaker postponed included. */
  readonly tries?: number;
  readonly failingSince?: Date;
  /** Since when its protocol version is not served; that attempt is published once. */
  readonly unservedSince?: Date;
  /** Keyed hash of the host; a busy host's destinations are not claimed. */
  readonly host?: string;
  /** The host was unreachable, so nothing was sent: the first success of the host brings it forward. */
  readonly postponed?: true;
  /** The receiver answered 410: only replays are sent. */
  readonly goneAt?: Date;
  /** Set once nothing more is sent except replays. */
  readonly outcome?: DestinationSettled['outcome'];
  readonly outbox?: readonly DeliveryEvent[];
  /** When the relay publishes next, and the process that wrote last and publishes first. Each write sets both. */
  readonly outboxAt?: Date;
  readonly outboxBy?: string;
  /** Since when the oldest publishable event waits. */
  readonly outboxSince?: Date;
  readonly controllerId: string;
  readonly apiVersion: ApiVersion;
  readonly type: RequestType;
  readonly expectedAt: string;
  /** What is expected from this version on: earlier callbacks keep their bytes (decision 24). */
  readonly extended?: { readonly v: number; readonly until: string };
  readonly kid: string;
  readonly url: string;
}

export type UnpublishedDestination = Pick<Destination, '_id' | 'ws' | 'outbox'> &
  Required<Pick<Destination, 'outboxAt'>>;

export type ClaimedDestination = Destination & Required<Pick<Destination, 'dueAt' | 'token'>>;
