import { IDENTITY_TYPES, type IdentityTypeName } from './identity-types';

/** An identity with a normalised value: equal fields mean the same identity. */
export interface Identity {
  readonly type: IdentityTypeName;
  readonly value: string;
}

/** False for a lone surrogate: UTF-8 and every hash encode all of them as the same bytes. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** True for zeros as the id of a device: what every device answers whose user has switched tracking off. */
export const isNoDevice = (type: IdentityTypeName, raw: string): boolean =>
  IDENTITY_TYPES[type].device && /^[0-]*0[0-]*$/.test(raw.trim());

/** Normalises a value (protocol, "Same request (409)"). Undefined: empty, malformed, or the id of no device. */
export function normaliseIdentity(type: IdentityTypeName, raw: string): Identity | undefined {
  if (!isWellFormed(raw) || isNoDevice(type, raw)) return undefined;
  const trimmed = raw.trim();
  const rule = IDENTITY_TYPES[type].normalise;
  const value = rule === 'mpid' ? parseMpid(trimmed) : rule === 'lowerCase' ? trimmed.toLowerCase() : trimmed;
  return value === undefined || value === '' ? undefined : { type, value };
}

/** Canonical decimal string of an mpid; undefined: not a signed 64-bit integer. */
export function parseMpid(raw: unknown): string | undefined {
  if (typeof raw === 'number' && !Number.isSafeInteger(raw)) return undefined;
  const text = typeof raw === 'string' ? raw : typeof raw === 'number' || typeof raw === 'bigint' ? String(raw) : '';
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? integer.toString() : undefined;
}

/** Sorted, without repeats. */
export function identitySet(identities: readonly Identity[]): Identity[] {
  const byName = new Map(identities.map((identity) => [`${identity.type}\u0000${identity.value}`, identity]));
  return [...byName.keys()].sort().flatMap((name) => byName.get(name) ?? []);
}
