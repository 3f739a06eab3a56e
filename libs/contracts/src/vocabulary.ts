/** Words of the interface (protocol, "Resources and their fields"). */
export const REQUEST_TYPES = ['access', 'portability', 'erasure'] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

export const REQUEST_STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];
/** Of a request that has not ended. */
export const OPEN_STATUSES = ['pending', 'in_progress'] as const;
export type OpenStatus = (typeof OPEN_STATUSES)[number];
/** Of a request that has ended. */
export const ENDED_STATUSES: readonly RequestStatus[] = ['completed', 'cancelled'];

export const REGULATIONS = ['gdpr', 'ccpa'] as const;
export type Regulation = (typeof REGULATIONS)[number];

export const API_VERSIONS = ['1.0', '2.0'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

/** Key of every record and `_id` of every document about a request; order holds per request. */
export const requestKey = (ws: string, srid: string): string => `${ws}:${srid}`;

/** The request id in the controller's own spelling; `srid` is its lower-case form. */
export const controllerRequestId = ({
  srid,
  sentId,
}: {
  readonly srid: string;
  readonly sentId?: string | undefined;
}): string => sentId ?? srid;

/** Key of every record about a profile; order holds per profile. */
export const profileKey = (ws: string, mpid: string): string => `${ws}:${mpid}`;

/** The participants that are our own services (decision 8). */
export const PARTICIPANTS = { ingestion: 'ingestion', results: 'results' } as const;

/** The policies for data that arrives for an erased identity (docs/erasure.md). */
export const AFTER_ERASURE_POLICIES = ['accept', 'drop', 'reject'] as const;
export type AfterErasurePolicy = (typeof AFTER_ERASURE_POLICIES)[number];

/** Which profiles device identities match: those without login identity, or all. */
export const DEVICE_MATCHINGS = ['anonymous', 'all'] as const;
export type DeviceMatching = (typeof DEVICE_MATCHINGS)[number];

/** The name of an outside participant, which is part of topics and paths and visible to controllers. */
export const PARTICIPANT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A domain name in small letters. */
export const DOMAIN_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
