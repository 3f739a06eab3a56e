import { IDENTITY_TYPES, type IdentityTypeName, type Normalisation } from './identity-types';

/** An identity with a normalised value: equal fields mean the same identity. */
export interface Identity {
  readonly type: IdentityTypeName;
  readonly value: string;
}

/** False for a lone surrogate: UTF-8 and every hash encode all of them as the same bytes. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** Well-formed text of `min` to `max` Unicode code points. */
export const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && value.length <= 2 * max && isWellFormed(value) && isBetween([...value].length, min, max);

const isBetween = (count: number, min: number, max: number): boolean => count >= min && count <= max;

/** The most code points of a value, before it is normalised. */
export const MAX_IDENTITY_CHARS = 4_096;

/** What programs and templates write in place of a value that is missing, in lower case. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'null',
  '(null)',
  '<null>',
  'nil',
  'undefined',
  'none',
  'nan',
  'n/a',
  'unknown',
  'anonymous',
  '[object object]',
]);
const ZEROS = /^-*0[0-]*$/;
/** An `android_id` that a fault of Android gave to very many devices. */
const SHARED_DEVICE = '9774d56d682e549c';

/** True for a value that many persons share, and so names nobody (protocol, "Values that name nobody"). */
export function namesNobody(type: IdentityTypeName, raw: string): boolean {
  const value = trimmed(raw).toLowerCase();
  if (PLACEHOLDERS.has(value)) return true;
  if (type === 'mpid') return parseMpid(value) === '0';
  if (IDENTITY_TYPES[type].device) return ZEROS.test(value) || value === SHARED_DEVICE;
  return type === 'controller_customer_id' && (ZEROS.test(value) || value === '-1');
}

/** Normalises a value (protocol, "Same request (409)"). Undefined: empty, malformed, or it names nobody. */
export function normaliseIdentity(type: IdentityTypeName, raw: string): Identity | undefined {
  if (!isWellFormed(raw) || namesNobody(type, raw)) return undefined;
  const value = NORMALISE[IDENTITY_TYPES[type].normalise](trimmed(raw))?.normalize('NFC');
  return value === undefined || value === '' ? undefined : { type, value };
}

const NORMALISE: Readonly<Record<Normalisation, (text: string) => string | undefined>> = {
  exact: (text) => text,
  lowerCase: (text) => text.toLowerCase(),
  email: normaliseEmail,
  phone: (text) => text.replace(/[\s\p{Cf}\p{Pd}()./]/gu, '').replace(/^00/, '+'),
  mpid: parseMpid,
};

/** Spreadsheets and mail programs put invisible characters around a value. The lookbehind keeps the search linear. */
const trimmed = (raw: string): string =>
  raw.replace(/^[\s\p{Cf}\p{Cc}]+|(?<![\s\p{Cf}\p{Cc}])[\s\p{Cf}\p{Cc}]+$/gu, '');

function normaliseEmail(text: string): string {
  // The lower case of the Turkish capital letter is an i with a second dot.
  const lower = text.toLowerCase().replaceAll('i\u0307', 'i');
  const domainAt = lower.lastIndexOf('@') + 1;
  const domain = lower.slice(domainAt);
  const ascii = domainAt > 0 && /[^\0-\x7f]/.test(domain) ? asciiOf(domain) : undefined;
  return ascii === undefined ? lower : lower.slice(0, domainAt) + ascii;
}

/** Undefined where it is no domain. By `URL`, as browsers load this lib too. */
function asciiOf(domain: string): string | undefined {
  if (/[\s/?#:@\\%[\]]/.test(domain)) return undefined;
  const url = `http://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
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
