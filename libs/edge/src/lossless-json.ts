import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import { badRequest, invalid } from './api-error';
import { excessOf } from './json-shape';

// A number can only lose digits, or become infinite, where one of these stands in the text.
const riskyNumber = /\d{16}|\d[eE]\+?\d{3}/;
const integer = /^-?\d+$/;
// Beyond this an integer is no identifier of anything, and turning it into a bigint costs more than its length.
const longestInteger = 40;

const refuse = (message: string): Error => badRequest([invalid(message)]);

/** A reviver that turns integers beyond 2^53 into bigint and refuses what no number of ours can hold. */
function keepDigits(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  if (!Number.isFinite(value) || source.length > longestInteger) throw refuse('The body holds a number that is too long.');
  return integer.test(source) ? BigInt(source) : value;
}

/**
 * Parses the bytes of a JSON body without loss: integers beyond 2^53 come as bigint, everything else as JSON.parse gives it.
 * Of a key that comes twice the last one counts. Throws a 400 ApiError for an empty body, invalid UTF-8, malformed JSON, nesting beyond
 * `depth`, more than `keys` keys over all objects, and keys that reach for a prototype.
 */
export function parseJson(bytes: Buffer, depth: number, keys = Infinity): unknown {
  if (bytes.length === 0) throw refuse('The body is empty.');
  if (!isUtf8(bytes)) throw refuse('The body is not valid UTF-8.');
  const excess = excessOf(bytes, { depth, keys });
  if (excess === 'depth') throw refuse(`The body is nested deeper than ${depth} levels.`);
  if (excess === 'keys') throw refuse(`The body holds more than ${keys} keys.`);
  const text = bytes.toString('utf8');
  try {
    return riskyNumber.test(text) ? parse(text, keepDigits) : parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse('The body is not valid JSON.');
    throw error;
  }
}
