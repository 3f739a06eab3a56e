export interface ErrorFields {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly retriable?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly groups?: unknown;
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? (list as readonly unknown[])[0] : undefined);

/** The cause of a kafkajs error. Of several refused topics or groups the first counts. */
export const causeOf = ({ cause, errors, groups }: ErrorFields): unknown =>
  cause ?? firstOf(errors) ?? (Object(firstOf(groups)) as { readonly error?: unknown }).error;

/** The error and its causes, outermost first. */
export function* causeChain(error: unknown): Generator<ErrorFields> {
  let link = error;
  for (let depth = 0; depth < 6 && typeof link === 'object' && link !== null; depth++) {
    yield link;
    link = causeOf(link);
  }
}

const some = (error: unknown, test: (link: ErrorFields) => boolean): boolean => [...causeChain(error)].some(test);

const connectionErrors = new Set<unknown>([
  'KafkaJSBrokerNotFound',
  'KafkaJSConnectionClosedError',
  'KafkaJSConnectionError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSLockTimeout',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSRequestTimeoutError',
]);
const movedCoordinatorTypes = new Set<unknown>([
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
]);
const unsettledTypes = new Set<unknown>([...movedCoordinatorTypes, 'LEADER_NOT_AVAILABLE', 'NETWORK_EXCEPTION']);
const movedLeaderTypes = new Set<unknown>([
  'FENCED_LEADER_EPOCH',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'UNKNOWN_LEADER_EPOCH',
]);
const rejoinTypes = new Set<unknown>([
  'ILLEGAL_GENERATION',
  'NOT_COORDINATOR_FOR_GROUP',
  'REBALANCE_IN_PROGRESS',
  'UNKNOWN_MEMBER_ID',
]);
/** Sequence, epoch and producer id errors, and codes that kafkajs does not know. */
const sequenceCodes = new Set<unknown>([45, 46, 47, 59, 90, -99]);
const rejectionCodes = new Set<unknown>([10, 18, 32, 87]);

/** A broker or coordinator is away or not ready; it returns, or another takes over. */
export const brokerLost = (error: unknown): boolean =>
  some(error, ({ name, type }) => connectionErrors.has(name) || unsettledTypes.has(type));

export const leaderMoved = (error: unknown): boolean => some(error, ({ type }) => movedLeaderTypes.has(type));

export const coordinatorMoved = (error: unknown): boolean => some(error, ({ type }) => movedCoordinatorTypes.has(type));

/** kafkajs rejoins only when its own loop gets these errors of a heartbeat or commit. */
export const mustRejoin = (error: unknown): boolean => some(error, ({ type }) => rejoinTypes.has(type));

const evictionTypes = new Set<unknown>(['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

/** The coordinator refuses the evicted member until it rejoins. */
export const evicted = (error: unknown): boolean => some(error, ({ type }) => evictionTypes.has(type));

/** Transient, though Kafka does not call it retriable. */
const transientTypes = new Set<unknown>([
  'BROKER_NOT_AVAILABLE',
  'REASSIGNMENT_IN_PROGRESS',
  'STALE_BROKER_EPOCH',
  'STALE_CONTROLLER_EPOCH',
]);

/** The cluster refuses the request for good, for example by a policy. A retry changes nothing. */
export const permanentlyRefused = (error: unknown): boolean =>
  !brokerLost(error) &&
  !mustRejoin(error) &&
  some(error, ({ type, retriable }) => typeof type === 'string' && retriable === false && !transientTypes.has(type));

/** Broker and producer disagree about the sequence: only a new producer can send to the partition. */
export const sequenceLost = (error: unknown): boolean => some(error, ({ code }) => sequenceCodes.has(code));

export const neverAccepted = (error: unknown): boolean => some(error, ({ code }) => rejectionCodes.has(code));

export const connectionClosed = (error: unknown): boolean =>
  error instanceof Error && error.name === 'KafkaJSConnectionClosedError';

export const outOfRange = (error: unknown): boolean => some(error, ({ name }) => name === 'KafkaJSOffsetOutOfRange');

/** The topic holds records that kafkajs cannot read, for example of an unsupported codec. */
export const unreadable = (error: unknown): boolean => some(error, ({ name }) => name === 'KafkaJSNotImplemented');

export const unknownTopic = (error: unknown): boolean =>
  some(error, ({ type }) => type === 'UNKNOWN_TOPIC_OR_PARTITION');

export const groupDenied = (error: unknown): boolean =>
  some(error, ({ type }) => type === 'GROUP_AUTHORIZATION_FAILED');

const NON_EMPTY_GROUP = 68;
const GROUP_ID_NOT_FOUND = 69;

const groupRefused = (error: unknown, code: number): boolean =>
  some(
    error,
    ({ groups }) =>
      Array.isArray(groups) && groups.some(({ errorCode }: { readonly errorCode?: unknown }) => errorCode === code),
  );

export const groupHasMembers = (error: unknown): boolean => groupRefused(error, NON_EMPTY_GROUP);

export const groupUnknown = (error: unknown): boolean => groupRefused(error, GROUP_ID_NOT_FOUND);
