import { isObject, parseJson } from '@opendsr-service/edge';

/** Data of a person that came in stays as it came: what we sealed ourselves was checked for its depth at the edge. */
const ANY_DEPTH = 1_000;

/** `JSON.rawJSON` writes a number's digits as they are; the library types of TypeScript do not know it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(this: void, text: string): unknown };

/** The same value with every bigint as its digits, wherever it lies. */
function withDigits(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJSON(value.toString());
  if (Array.isArray(value)) return value.map(withDigits);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDigits(part)]))
    : value;
}

/**
 * JSON whose integers may be bigint, as the edge's parser gives them. A replacer would be called for every value, and
 * few have a bigint.
 */
export function losslessJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(withDigits(value));
  }
}

export const parseLossless = (json: Buffer): unknown => parseJson(json, ANY_DEPTH);
