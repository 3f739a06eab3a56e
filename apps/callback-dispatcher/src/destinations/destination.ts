import type {
  ApiVersion,
  DeliveryEvent,
  DestinationSettled,
  ParticipantExtension,
  RequestStatus,
  RequestType,
} from '@opendsr-service/contracts';

/** A status change of a request, as its callback tells it: kept, so that every try and every replay sends the same bytes. */
export interface StatusChange {
  /** Version of the event that made the change. */
  readonly v: number;
  readonly status: RequestStatus;
  /** When the status changed. */
  readonly at: string;
  /** How outside participants stood then, where some take part. */
  readonly extensions?: readonly ParticipantExtension[];
}

/** A callback that waits to be sent. Of each version one waits at a time. */
export interface PendingCallback extends StatusChange {
  /** The command that asked for it, where it is sent once more. */
  readonly replay?: string;
}

/** So many commands a destination remembers. */
export const MAX_REPLAYS_REMEMBERED = 50;

/** Why callbacks were taken off a destination without being delivered. */
export type GivenUpReason = 'exhausted' | 'gone' | 'key-destroyed';

/** What was taken off the destination for the first time, and can be replayed. */
export interface PastCallback extends StatusChange {
  /** Where it was not delivered. */
  readonly reason?: GivenUpReason;
  readonly endedAt: Date;
}

/**
 * What one URL of one request is told, in order (D7): one destination has one sender at a time. It stays when it is empty, so that
 * a replay of the log sends nothing twice.
 */
export interface Destination {
  /** `<ws>:<srid>|<destination>` */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** The id of the request as its controller wrote it first, where that is not `srid`. */
  readonly sentId?: string;
  /** Keyed hash of the URL. */
  readonly destination: string;
  /** Version of the last request event applied. */
  readonly v: number;
  readonly pending: readonly PendingCallback[];
  /** One for each status change at the most. */
  readonly past?: readonly PastCallback[];
  /** How often each callback was tried, by its version, over replays too. */
  readonly attempts?: Readonly<Record<string, number>>;
  /** The last commands that were obeyed, so that none is obeyed twice. */
  readonly replayed?: readonly string[];
  /** When it is sent next, or until when it is being sent; set while `pending` holds something. */
  readonly dueAt?: Date;
  /**
   * When the status changed of which its receiver has not been told the longest; absent while only what is sent once more waits. What came
   * onto the destination while it was being sent counts exactly from the end of the next turn on, and so do destinations of before this field.
   */
  readonly undeliveredSince?: Date;
  /** Of whoever is sending it: only that one may finish. */
  readonly token?: string;
  /** Failed tries of the first pending callback, and when the first of them was. */
  readonly tries?: number;
  readonly failingSince?: Date;
  /** Since when it waits for its version of the protocol to be served; that was told. */
  readonly unservedSince?: Date;
  /** Keyed hash of the host of the URL: by it destinations are left out while their host takes no more. Those of before it have it once they had to wait. */
  readonly host?: string;
  /** Its host could not be reached, so that nothing was sent: it comes again as soon as another destination has reached it. */
  readonly postponed?: true;
  /** The receiver said that it is gone for good: only what is replayed is sent here. */
  readonly goneAt?: Date;
  /** How the destination was settled, once nothing will be sent on it any more, unless it is replayed. */
  readonly outcome?: DestinationSettled['outcome'];
  /** What the log has not acknowledged yet, in order. */
  readonly outbox?: readonly DeliveryEvent[];
  /** From when on something can be told, and which process added it last and so is the first to tell. Everything that is added sets it anew. */
  readonly outboxAt?: Date;
  readonly outboxBy?: string;
  /** Since when the first that is to be told waits for the log; what may be told only later waits from then on. Destinations of before this field have it from the next thing that they have to tell. */
  readonly outboxSince?: Date;
  readonly controllerId: string;
  readonly apiVersion: ApiVersion;
  readonly type: RequestType;
  readonly expectedAt: string;
  readonly kid: string;
  /** Sealed URL. */
  readonly url: string;
}

/** A destination of which the log has not heard all. */
export type UnpublishedDestination = Pick<Destination, '_id' | 'ws' | 'srid' | 'destination' | 'outcome' | 'outbox'> &
  Required<Pick<Destination, 'outboxAt'>>;

/** A destination whose sender holds its lease. */
export type ClaimedDestination = Destination & Required<Pick<Destination, 'dueAt' | 'token'>>;
