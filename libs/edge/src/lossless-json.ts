import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { badRequest, invalid } from './api-error';
import { excessOf, longNumbers } from './json-shape';

// Keys that set a prototype contain one of these.
const riskyKey = /__proto__|constructor|\\u00/;
const BYTE_ORDER_MARK = /^\ufeff/;
// Only such numbers can lose digits or become infinite.
const riskyNumber = /\d{16}|\d[eE]\+?\d{3}/;
const integer = /^-?[1-9]\d*$/;
const riskyDecimal = /[\d.eE+-]{16}/;
const asKey = /[ \t\r\n]*:/y;
// No identifier is longer, and the conversion to a bigint is superlinear.
const longestInteger = 40;
const MARK_BYTES = 9;

const refuse = (message: string): Error => badRequest([invalid(message)]);

const tooLong = (): Error => refuse('The body holds a number that is too long.');

/** The library types of TypeScript lack these. `rawJSON` writes digits unchanged. */
export const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON(this: void, text: string): unknown;
  isRawJSON(this: void, value: unknown): boolean;
};

type LosesDigits = (number: string) => boolean;

function losesDigits(number: string): boolean {
  const value = Number(number);
  if (Number.isSafeInteger(value) || Number.isNaN(value)) return false;
  if (number.length > longestInteger) throw tooLong();
  return integer.test(number);
}

const losesText: LosesDigits = (number) => losesDigits(number) || String(Number(number)) !== number;

/** A number as a key must stay a syntax error. */
function isKey(text: string, end: number): boolean {
  asKey.lastIndex = end;
  return asKey.test(text);
}

function withMarks(text: string, mark: string, loses: LosesDigits): string {
  const pieces: string[] = [];
  let from = 0;
  for (const [start, end] of longNumbers(text)) {
    const number = text.slice(start, end);
    if (!loses(number) || isKey(text, end)) continue;
    pieces.push(text.slice(from, start), '"', mark, number, '"');
    from = end;
  }
  return pieces.join('') + text.slice(from);
}

const isForbidden = (key: string, value: unknown): boolean =>
  key === '__proto__' ||
  (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'));

function unmarked(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? exactNumber(value.slice(mark.length)) : value;
  if (value === Infinity || value === -Infinity) throw tooLong();
  if (Array.isArray(value)) for (let n = 0; n < value.length; n++) value[n] = unmarked(value[n], mark);
  else if (typeof value === 'object' && value !== null) unmarkFields(value as Record<string, unknown>, mark);
  return value;
}

const exactNumber = (text: string): unknown => (integer.test(text) ? BigInt(text) : rawJSON(text));

function unmarkFields(fields: Record<string, unknown>, mark: string): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (isForbidden(key, value)) throw new SyntaxError('a key sets a prototype');
    fields[key] = unmarked(value, mark);
  }
}

/** A reviver gets the text of every value and is many times slower. */
function parseWithCare(text: string, loses: LosesDigits): unknown {
  const mark = randomBytes(MARK_BYTES).toString('base64url');
  return unmarked(JSON.parse(withMarks(text, mark, loses)), mark);
}

/** Parses JSON without loss: integers beyond 2^53 become bigint; the last of repeated keys counts. Throws a 400 ApiError. */
export function parseJson(bytes: Buffer, depth: number, keys = Infinity): unknown {
  const text = textOf(bytes, { depth, keys });
  const isRisky = riskyNumber.test(text) || riskyKey.test(text);
  return refuseMalformed(() => (isRisky ? parseWithCare(text, losesDigits) : JSON.parse(text)));
}

/** As `parseJson`, but decimals that a number would change become `JSON.rawJSON`: only to be written again. */
export function parseJsonToWrite(bytes: Buffer, depth: number): unknown {
  const text = textOf(bytes, { depth, keys: Infinity });
  const isRisky = riskyDecimal.test(text) || riskyNumber.test(text) || riskyKey.test(text);
  return refuseMalformed(() => (isRisky ? parseWithCare(text, losesText) : JSON.parse(text)));
}

/** False: `parseJson` keeps all digits of its numbers. */
export const mayLoseDecimals = (bytes: Buffer): boolean => riskyDecimal.test(bytes.toString('latin1'));

function textOf(bytes: Buffer, { depth, keys }: { readonly depth: number; readonly keys: number }): string {
  if (bytes.length === 0) throw refuse('The body is empty.');
  if (!isUtf8(bytes)) throw refuse('The body is not valid UTF-8.');
  const text = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
  const excess = excessOf(text, { depth, keys });
  if (excess === 'depth') throw refuse(`The body is nested deeper than ${depth} levels.`);
  if (excess === 'keys') throw refuse(`The body holds more than ${keys} keys.`);
  return text;
}

function refuseMalformed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse('The body is not valid JSON.');
    throw error;
  }
}
