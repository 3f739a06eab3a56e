import type {
  Admission,
  ApiVersion,
  ParticipantExtension,
  Regulation,
  RequestCommand,
  RequestStatus,
  RequestType,
} from '@opendsr-service/contracts';
import type { ReportFacts } from './reports';

/** `data` is what the command says and the admission may no longer hold. */
export interface OutboxEntry {
  readonly seq: number;
  readonly id: string;
  readonly type: RequestCommand['type'];
  readonly at: string;
  readonly data: object;
}

/** The one document that decides what a controller sees of a request (decision 1). */
export interface RequestDocument {
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  /** As the controller wrote the id, where it differs from `srid`. */
  readonly sentId?: string;
  readonly status: RequestStatus;
  readonly controllerId: string;
  readonly apiVersion: ApiVersion;
  readonly type: RequestType;
  readonly regulation?: Regulation;
  readonly submittedTime: Date;
  readonly receivedAt: Date;
  readonly expectedAt: Date;
  /** From when and until when the law gave time at the receipt (decision 24). */
  readonly legalSince?: Date;
  readonly legalDueAt?: Date;
  /** The legal date that counts now: `legalDueAt`, or `extendedUntil`. */
  readonly dueBy?: Date;
  /** From when on it is at risk to miss `dueBy`. */
  readonly atRiskAt?: Date;
  /** The regulation by which its time is counted. */
  readonly countedBy?: Regulation;
  /** The class of its workspace at the receipt. */
  readonly workspaceClass?: string;
  readonly extendedAt?: Date;
  readonly extendedUntil?: Date;
  /** A role of the operator. */
  readonly extendedBy?: string;
  /** Keyed hash of the name of its group. */
  readonly groupId: string | null;
  /** 0 to 149. */
  readonly slot?: number;
  readonly startAt?: Date;
  readonly fingerprint?: string;
  /** SHA-256 of the bytes of its receipt and of the signature of these, base64url. */
  readonly receipt?: string;
  readonly kid: string;
  /** Removed with its key. */
  readonly sealed?: Pick<Admission, 'identities' | 'group' | 'callbacks'> & { readonly extensionReason?: string };
  /** From the last event that names the participants. */
  readonly extensions?: readonly ParticipantExtension[];
  /** What each participant last reported, for the attestation (decision 27). */
  readonly reports?: Readonly<Record<string, ReportFacts>>;
  /** Digest of the last event, once the request has ended. */
  readonly history?: string;
  /** Set from the last event until the attestation is on the log: from when on any process makes it. */
  readonly attestAt?: Date;
  /** Destinations that have not settled. */
  readonly openDestinations: readonly string[];
  /** Set once the request has ended and no destination is open (decision 4). Claims move it. */
  readonly keyDueAt?: Date;
  /** The same, not moved by claims. */
  readonly keyDueSince?: Date;
  /** Set by an erasure of one of its persons: the latest time. */
  readonly keyDueBy?: Date;
  /** Set from the end of the request until its persons are recorded. Claims move it. */
  readonly personsAt?: Date;
  readonly personsToken?: string;
  readonly keyToken?: string;
  readonly keyGoneAt?: Date;
  /** Whether a callback failed that could be delivered yet. Only for lists of operators. */
  readonly callbacksFailing?: true;
  /** The number of decisions; each is the command of that number. */
  readonly seq: number;
  readonly outbox: readonly OutboxEntry[];
  readonly outboxAt?: Date;
  /** When the first command of the outbox was decided. */
  readonly outboxSince?: Date;
  readonly tries?: number;
  /** Version of the last request event applied. */
  readonly v: number;
  readonly startedAt?: Date;
  readonly completedAt?: Date;
  readonly cancelledAt?: Date;
  /** Which of several cancels at once was the one. Not in the log. */
  readonly cancelToken?: string;
}

/** Without what may be large. */
export type ListableRequest = Omit<RequestDocument, 'sealed' | 'outbox' | 'reports'>;

/** Whether the request service may not have handled the start yet. */
export const startWaits = ({ outbox }: Pick<RequestDocument, 'outbox'>): boolean =>
  outbox.some(({ type }) => type === 'StartRequest');
