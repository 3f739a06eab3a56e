/** Words of the interface (protocol, "Resources and their fields"). */
export const REQUEST_TYPES = ['access', 'portability', 'erasure'] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

export const REQUEST_STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const REGULATIONS = ['gdpr', 'ccpa'] as const;
export type Regulation = (typeof REGULATIONS)[number];

export const API_VERSIONS = ['1.0', '2.0'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

/** The key of every record about one request, and the `_id` of every document about it: order is kept per request. */
export const requestKey = (ws: string, srid: string): string => `${ws}:${srid}`;

/** The request id in the controller's own spelling; `srid` is its lower-case form. */
export const controllerRequestId = ({
  srid,
  sentId,
}: {
  readonly srid: string;
  readonly sentId?: string | undefined;
}): string => sentId ?? srid;

/** The key of every record about one profile: order is kept per profile. */
export const profileKey = (ws: string, mpid: string): string => `${ws}:${mpid}`;

/** The names under which services of our own take part in requests (decision 8). */
export const PARTICIPANTS = { ingestion: 'ingestion', results: 'results' } as const;

/** What becomes of data that arrives for an erased identity, chosen for each workspace (docs/erasure.md). */
export const AFTER_ERASURE_POLICIES = ['accept', 'drop', 'reject'] as const;
export type AfterErasurePolicy = (typeof AFTER_ERASURE_POLICIES)[number];

/** Which profiles device identities match, for each workspace: those without login identity, or all. */
export const DEVICE_MATCHINGS = ['anonymous', 'all'] as const;
export type DeviceMatching = (typeof DEVICE_MATCHINGS)[number];

/** How an outside participant may be called: it stands in topics, in paths and in what controllers are shown. */
export const PARTICIPANT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A domain name in small letters, such as that of an outside participant. */
export const DOMAIN_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
