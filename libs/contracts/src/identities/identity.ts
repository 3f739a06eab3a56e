import { IDENTITY_TYPES, type IdentityTypeName } from './identity-types';

/** One identity of a data subject, its value normalised: two of them mean the same exactly if both fields are equal. */
export interface Identity {
  readonly type: IdentityTypeName;
  readonly value: string;
}

/** False for a lone surrogate: UTF-8 and every hash encode all of them alike. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/**
 * Normalises a value (protocol, "Same request (409)"): trimmed; e-mail addresses and device ids in lower case; an mpid
 * as the decimal string of a signed 64-bit integer. Undefined: empty, no such integer, or malformed text.
 */
export function normaliseIdentity(type: IdentityTypeName, raw: string): Identity | undefined {
  if (!isWellFormed(raw)) return undefined;
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

/** Sorted and without repeats: one list for every order in which a controller may name the same identities. */
export function identitySet(identities: readonly Identity[]): Identity[] {
  const byName = new Map(identities.map((identity) => [`${identity.type}\u0000${identity.value}`, identity]));
  return [...byName.keys()].sort().flatMap((name) => byName.get(name) ?? []);
}
