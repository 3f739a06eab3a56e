import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { badRequest, invalid } from './api-error';
import { excessOf, longNumbers } from './json-shape';

// Keys that reach for a prototype are written with one of these, or with an escape of ASCII.
const riskyKey = /__proto__|constructor|\\u00/;
const BYTE_ORDER_MARK = /^\ufeff/;
// A number can only lose digits, or become infinite, where one of these stands in the text.
const riskyNumber = /\d{16}|\d[eE]\+?\d{3}/;
const integer = /^-?[1-9]\d*$/;
const asKey = /[ \t\r\n]*:/y;
// Beyond this an integer is no identifier of anything, and turning it into a bigint costs more than its length.
const longestInteger = 40;
const MARK_BYTES = 9;

const refuse = (message: string): Error => badRequest([invalid(message)]);

const tooLong = (): Error => refuse('The body holds a number that is too long.');

/** Whether a number must come as a bigint to keep its digits. */
function losesDigits(number: string): boolean {
  const value = Number(number);
  // What is no number at all is left to the parser.
  if (Number.isSafeInteger(value) || Number.isNaN(value)) return false;
  if (number.length > longestInteger) throw tooLong();
  return integer.test(number);
}

/** Whether a colon follows: a key that is no string is a fault, and must stay one. */
function isKey(text: string, end: number): boolean {
  asKey.lastIndex = end;
  return asKey.test(text);
}

/** The text with each integer that would lose digits as a string that begins with the mark. */
function withMarks(text: string, mark: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const [start, end] of longNumbers(text)) {
    const number = text.slice(start, end);
    if (!losesDigits(number) || isKey(text, end)) continue;
    pieces.push(text.slice(from, start), '"', mark, number, '"');
    from = end;
  }
  return pieces.join('') + text.slice(from);
}

const isForbidden = (key: string, value: unknown): boolean =>
  key === '__proto__' ||
  (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'));

/** The value that parsed JSON stands for: a marked string is a bigint, lists and objects are changed in place. */
function unmarked(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
  if (value === Infinity || value === -Infinity) throw tooLong();
  if (Array.isArray(value)) for (let n = 0; n < value.length; n++) value[n] = unmarked(value[n], mark);
  else if (typeof value === 'object' && value !== null) unmarkFields(value as Record<string, unknown>, mark);
  return value;
}

function unmarkFields(fields: Record<string, unknown>, mark: string): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (isForbidden(key, value)) throw new SyntaxError('a key reaches for a prototype');
    fields[key] = unmarked(value, mark);
  }
}

/** A reviver would do the same, and cost many times as much: of each value it is told the text. */
function parseWithCare(text: string): unknown {
  // Nobody can know it, so that no string of a caller begins with it.
  const mark = randomBytes(MARK_BYTES).toString('base64url');
  return unmarked(JSON.parse(withMarks(text, mark)), mark);
}

/**
 * Parses the bytes of a JSON body without loss: integers beyond 2^53 come as bigint, everything else as JSON.parse gives it.
 * Of a key that comes twice the last one counts. Throws a 400 ApiError for an empty body, invalid UTF-8, malformed JSON, nesting beyond
 * `depth`, more than `keys` keys over all objects, and keys that reach for a prototype.
 */
export function parseJson(bytes: Buffer, depth: number, keys = Infinity): unknown {
  if (bytes.length === 0) throw refuse('The body is empty.');
  if (!isUtf8(bytes)) throw refuse('The body is not valid UTF-8.');
  const text = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
  const excess = excessOf(text, { depth, keys });
  if (excess === 'depth') throw refuse(`The body is nested deeper than ${depth} levels.`);
  if (excess === 'keys') throw refuse(`The body holds more than ${keys} keys.`);
  try {
    return riskyNumber.test(text) || riskyKey.test(text) ? parseWithCare(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse('The body is not valid JSON.');
    throw error;
  }
}
