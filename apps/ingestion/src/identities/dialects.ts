import {
  identityRank,
  identitySet,
  ingestIdentityType,
  isWellFormed,
  normaliseIdentity,
  type Identity,
} from '@opendsr-service/contracts';

/** As long as a request may name it. */
const MAX_VALUE_LENGTH = 4_096;

/** An identity as a body named it: under this spelling, in whichever dialect. */
export interface NamedIdentity {
  readonly name: string;
  readonly identity: Identity;
}

/** The two ways of naming identities (protocol, "Identity bodies"). A body may use either. */
export interface IdentityBody {
  readonly user_identities?: Readonly<Record<string, unknown>>;
  readonly known_identities?: Readonly<Record<string, unknown>>;
}

/**
 * The identities of a body in the order in which they decide whose it is, each with the name it came under. Names that are not
 * in the table, and values that are null or blank, name nobody.
 */
export function readIdentities(body: IdentityBody): NamedIdentity[] {
  const entries = [body.user_identities, body.known_identities].flatMap((named) => Object.entries(named ?? {}));
  return entries
    .flatMap(([name, value]) => read(name, value))
    .sort((a, b) => identityRank(a.identity.type) - identityRank(b.identity.type));
}

/** The same without names and repeats, the deciding one first. */
export function rankedIdentities(named: readonly NamedIdentity[]): Identity[] {
  return identitySet(named.map(({ identity }) => identity)).sort((a, b) => identityRank(a.type) - identityRank(b.type));
}

function read(name: string, value: unknown): NamedIdentity[] {
  const type = ingestIdentityType(name);
  const identity = type && typeof value === 'string' ? normaliseIdentity(type, value) : undefined;
  return identity ? [{ name, identity }] : [];
}

/** Where a body names somebody by something that is no text, or no well-formed one: taking it for nobody would lose data without a word. */
export function misnamedIdentities(body: IdentityBody): string[] {
  const isFaulty = ([name, value]: [string, unknown]): boolean =>
    ingestIdentityType(name) !== undefined && value !== null && !isIdentityText(value);
  return (['user_identities', 'known_identities'] as const).flatMap((field) =>
    Object.entries(body[field] ?? {})
      .filter(isFaulty)
      .map(([name]) => `${field}.${name}`),
  );
}

const isIdentityText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && isWellFormed(value);
