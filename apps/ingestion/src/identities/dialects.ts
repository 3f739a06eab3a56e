import {
  identityRank,
  identitySet,
  ingestIdentityType,
  isText,
  MAX_IDENTITY_CHARS,
  normaliseIdentity,
  type Identity,
} from '@opendsr-service/contracts';

export interface NamedIdentity {
  readonly name: string;
  readonly identity: Identity;
}

/** The two ways of naming identities (protocol, "Identity bodies"). A body may use either. */
export interface IdentityBody {
  readonly user_identities?: Readonly<Record<string, unknown>>;
  readonly known_identities?: Readonly<Record<string, unknown>>;
}

/** The identities of a body, highest rank first. Unknown names and null or blank values are ignored. */
export function readIdentities(body: IdentityBody): NamedIdentity[] {
  const entries = [body.user_identities, body.known_identities].flatMap((named) => Object.entries(named ?? {}));
  return entries
    .flatMap(([name, value]) => read(name, value))
    .sort((a, b) => identityRank(a.identity.type) - identityRank(b.identity.type));
}

export function rankedIdentities(named: readonly NamedIdentity[]): Identity[] {
  return identitySet(named.map(({ identity }) => identity)).sort((a, b) => identityRank(a.type) - identityRank(b.type));
}

function read(name: string, value: unknown): NamedIdentity[] {
  const type = ingestIdentityType(name);
  const identity = type && typeof value === 'string' ? normaliseIdentity(type, value) : undefined;
  return identity ? [{ name, identity }] : [];
}

/** Known names whose value is not a well-formed string. Ignoring them would lose data silently. */
export function misnamedIdentities(body: IdentityBody): string[] {
  const isFaulty = ([name, value]: [string, unknown]): boolean =>
    ingestIdentityType(name) !== undefined && value !== null && !isText(value, 0, MAX_IDENTITY_CHARS);
  return (['user_identities', 'known_identities'] as const).flatMap((field) =>
    Object.entries(body[field] ?? {})
      .filter(isFaulty)
      .map(([name]) => `${field}.${name}`),
  );
}
