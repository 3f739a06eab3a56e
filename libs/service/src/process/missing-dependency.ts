import { causeOf, connectionFault, permanentlyRefused } from '@opendsr-service/messaging';
import { ConnectionFault, isStorageUnavailable, mongodbFault } from '@opendsr-service/storage';

export interface MissingDependency {
  /** The name of the dependency; undefined where the error does not contain it. */
  readonly what: string | undefined;
  /** The reason, without address or secret. */
  readonly why: string;
  /** Whether an early retry may do harm: stores lock out a client that often sends a wrong password. */
  readonly isRefused: boolean;
  /** A retry changes nothing. A starting process still waits: an operator may fix the cause. */
  readonly isFinal: boolean;
  /** The server answers, and refuses this user a right. */
  readonly isDenied?: boolean;
}

export class NotYetAvailable extends Error implements MissingDependency {
  override readonly name = 'NotYetAvailable';
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

interface Link {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly type?: unknown;
  /** The last error of a server, in MongoDB's topology description. */
  readonly error?: unknown;
}

const DOES_NOT_ANSWER = 'it does not answer';
const DEEPEST = 8;
const NAME_NOT_KNOWN = 'its name is not known';
const NOT_LOOKED_UP = 'its name cannot be looked up';
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
const isKeyService = ({ name }: Link): boolean => name === 'KeyServiceAway';
const isKafka = ({ name }: Link): boolean => name === 'LogAway' || text(name).startsWith('KafkaJS');

/** An error of Kafka's protocol: its name holds no values. */
function kafkaReason(link: Link): string | undefined {
  const type = isKafka(link) ? text(link.type) : '';
  return /^[A-Z_]+$/.test(type) ? `it answers ${type}` : undefined;
}

/** A connection refused during name resolution was refused by the DNS, not by the server. */
const isLookup = ({ syscall }: Link): boolean => syscall === 'getaddrinfo' || text(syscall).startsWith('query');

function networkReason(link: Link): string | undefined {
  const reason = networkReasons[text(link.code)];
  if (!isLookup(link)) return reason;
  return reason === NAME_NOT_KNOWN ? reason : NOT_LOOKED_UP;
}

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

/** Access rights are checked only during work. */
function metIn(error: unknown, chain: readonly Link[]): ConnectionFault | undefined {
  const fault = chain.some(isKafka) ? connectionFault(error) : chain.some(isMongo) ? mongodbFault(error) : undefined;
  return fault?.kind === 'authorization' || fault?.kind === 'authentication' ? fault : undefined;
}

/** The server responds but refuses access: its fault names the server and the reason. */
function faultIn(error: unknown, chain: readonly Link[]): MissingDependency | undefined {
  const fault = chain.find((link) => link instanceof ConnectionFault) ?? metIn(error, chain);
  return (
    fault && {
      ...{ what: fault.server, why: fault.why, isFinal: false },
      ...{ isRefused: fault.kind === 'authentication', isDenied: fault.kind === 'authorization' },
    }
  );
}

/** What a failed start waits for; undefined: waiting does not fix it. A wrong password may be fixed. */
export function missingDependencyIn(error: unknown): MissingDependency | undefined {
  if (error instanceof NotYetAvailable) return error;
  const chain = chainOf(error);
  const fault = faultIn(error, chain);
  if (fault) return fault;
  const [network, answered] = [networkReason, kafkaReason].map((reasonOf) =>
    chain.map(reasonOf).find((reason) => reason !== undefined),
  );
  const lack = { why: network ?? answered ?? DOES_NOT_ANSWER, isRefused: false, isFinal: false };
  if (chain.some(isKeyService)) return { what: 'the key service', ...lack };
  if (chain.some(isKafka)) return { what: 'Kafka', ...lack, isFinal: permanentlyRefused(error) };
  if (isStorageUnavailable(error)) return { what: chain.some(isMongo) ? 'MongoDB' : undefined, ...lack };
  return network === undefined ? undefined : { what: undefined, ...lack };
}
