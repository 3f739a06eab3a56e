import { causeOf, connectionFault, permanentlyRefused } from '@opendsr-service/messaging';
import { ConnectionFault, isStorageUnavailable, mongodbFault } from '@opendsr-service/storage';

export interface MissingDependency {
  /** The name of the dependency; undefined where the error does not say. */
  readonly what: string | undefined;
  /** What is the matter with it, in words that hold no address and no secret. */
  readonly why: string;
  /** Whether coming back soon may do harm, because stores lock out who comes too often with a wrong password. */
  readonly isRefused: boolean;
  /** Asking again changes nothing. A starting process waits all the same: an operator may fix it. */
  readonly isFinal: boolean;
}

export class NotYetAvailable extends Error implements MissingDependency {
  override readonly name = 'NotThereYet';
  readonly holdsNoValues = true;
  readonly isRefused = false;
  readonly isFinal = false;

  constructor(
    readonly what: string,
    readonly why: string,
  ) {
    super(`${what}: ${why}`);
  }
}

/** What errors of drivers, of sockets and of our own may carry. */
interface Link {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  /** What Kafka calls the error that it answers with. */
  readonly type?: unknown;
  /** What was last heard of a server, in MongoDB's description of all of them. */
  readonly error?: unknown;
}

const DOES_NOT_ANSWER = 'it does not answer';
const DEEPEST = 8;
const NAME_NOT_KNOWN = 'its name is not known';
const NOT_LOOKED_UP = 'its name cannot be looked up';
/** Names of servers are looked up before a driver has anything to say. */
const networkReasons: Readonly<Record<string, string>> = {
  EAI_AGAIN: NOT_LOOKED_UP,
  ENOTFOUND: NAME_NOT_KNOWN,
  ENODATA: NAME_NOT_KNOWN,
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: DOES_NOT_ANSWER,
  EHOSTUNREACH: DOES_NOT_ANSWER,
  ENETUNREACH: DOES_NOT_ANSWER,
  ETIMEDOUT: DOES_NOT_ANSWER,
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isMongo = ({ name }: Link): boolean => text(name).startsWith('Mongo');
const isKafka = ({ name }: Link): boolean => name === 'LogAway' || text(name).startsWith('KafkaJS');

/** Kafka answers, and with an error of its own: names of those hold no values. */
function kafkaReason(link: Link): string | undefined {
  const type = isKafka(link) ? text(link.type) : '';
  return /^[A-Z_]+$/.test(type) ? `it answers ${type}` : undefined;
}

/** A refused connection during a name look-up is that to the DNS, not to the server. */
const isLookup = ({ syscall }: Link): boolean => syscall === 'getaddrinfo' || text(syscall).startsWith('query');

function networkReason(link: Link): string | undefined {
  const reason = networkReasons[text(link.code)];
  if (!isLookup(link)) return reason;
  return reason === NAME_NOT_KNOWN ? reason : NOT_LOOKED_UP;
}

/** An error and what caused it, from the outside in. */
function chainOf(error: unknown): Link[] {
  const links: Link[] = [];
  for (
    let link = error;
    typeof link === 'object' && link !== null && links.length < DEEPEST;
    link = causeOf(link) ?? (link as Link).error
  )
    links.push(link);
  return links;
}

/** Rights are checked only during work. */
function metIn(error: unknown, chain: readonly Link[]): ConnectionFault | undefined {
  const fault = chain.some(isKafka) ? connectionFault(error) : chain.some(isMongo) ? mongodbFault(error) : undefined;
  return fault?.kind === 'authorization' || fault?.kind === 'authentication' ? fault : undefined;
}

/** A server that answers, but not to us: its fault says itself whose and which it is. */
function faultIn(error: unknown, chain: readonly Link[]): MissingDependency | undefined {
  const fault = chain.find((link) => link instanceof ConnectionFault) ?? metIn(error, chain);
  return fault && { what: fault.server, why: fault.why, isRefused: fault.kind === 'authentication', isFinal: false };
}

/** What a failed start waits for; undefined: waiting does not fix it. Wrong passwords may be fixed. */
export function missingDependencyIn(error: unknown): MissingDependency | undefined {
  if (error instanceof NotYetAvailable) return error;
  const chain = chainOf(error);
  const fault = faultIn(error, chain);
  if (fault) return fault;
  const [network, answered] = [networkReason, kafkaReason].map((reasonOf) =>
    chain.map(reasonOf).find((reason) => reason !== undefined),
  );
  const lack = { why: network ?? answered ?? DOES_NOT_ANSWER, isRefused: false, isFinal: false };
  if (chain.some(isKafka)) return { what: 'Kafka', ...lack, isFinal: permanentlyRefused(error) };
  if (isStorageUnavailable(error)) return { what: chain.some(isMongo) ? 'MongoDB' : undefined, ...lack };
  return network === undefined ? undefined : { what: undefined, ...lack };
}
