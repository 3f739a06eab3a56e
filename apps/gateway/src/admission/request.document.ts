import type {
  Admission,
  ApiVersion,
  ParticipantExtension,
  Regulation,
  RequestCommand,
  RequestStatus,
  RequestType,
} from '@opendsr-service/contracts';

/** A command that no event has answered yet; `data` is all of it but what the entry and the document say. */
export interface OutboxEntry {
  readonly seq: number;
  readonly id: string;
  readonly type: RequestCommand['type'];
  readonly at: string;
  readonly data: object;
}

/** The admission: the one document that decides everything a controller may be told about a request (D1). */
export interface RequestDocument {
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** The id as the controller wrote it first, where that is not `srid`. */
  readonly sentId?: string;
  readonly status: RequestStatus;
  readonly controllerId: string;
  readonly apiVersion: ApiVersion;
  readonly type: RequestType;
  readonly regulation?: Regulation;
  readonly submittedTime: Date;
  readonly receivedAt: Date;
  readonly expectedAt: Date;
  /** Keyed hash of the name of its group. */
  readonly groupId: string | null;
  /** Place within the group: a free number of 0..149. */
  readonly slot?: number;
  /** Set while the request waits for its start. */
  readonly startAt?: Date;
  /** Set while a second request for the same is refused. */
  readonly fingerprint?: string;
  readonly kid: string;
  /** Gone with its key. */
  readonly sealed?: Pick<Admission, 'identities' | 'group' | 'callbacks'>;
  /** How the shares of outside participants stand, as the last event that named them has it. */
  readonly extensions?: readonly ParticipantExtension[];
  /** Destinations of callbacks that are not settled. Documents of before this field have the destinations of their callbacks. */
  readonly openDestinations?: readonly string[];
  /** When the key may be destroyed; set once the request has ended and no destination is open (D4). */
  readonly keyDueAt?: Date;
  /** When it might first: claims put `keyDueAt` off, and leave this as it is. Documents of before this field count by `keyDueAt`. */
  readonly keyDueSince?: Date;
  /** By when it may be destroyed at the latest: an erasure of somebody whom the request is about has completed. */
  readonly keyDueBy?: Date;
  /** When the request ended, or when the noting of its persons that somebody has claimed is tried again; set until that is done. */
  readonly personsAt?: Date;
  /** Who claimed that. */
  readonly personsToken?: string;
  /** Who claimed the destruction of the key. */
  readonly keyToken?: string;
  readonly keyGoneAt?: Date;
  /** Number of decisions taken, each the command of that number. */
  readonly seq: number;
  readonly outbox: readonly OutboxEntry[];
  /** When the relay sends the outbox again; set while it holds something. */
  readonly outboxAt?: Date;
  /** Since when no event has answered its first command. Documents of before this field have it from the next time that it is sent. */
  readonly outboxSince?: Date;
  readonly tries?: number;
  /** Version of the last request event applied. */
  readonly v: number;
  readonly startedAt?: Date;
  readonly completedAt?: Date;
  readonly cancelledAt?: Date;
}
