import { isObject, isRawJSON, parseJsonToWrite, rawJSON } from '@opendsr-service/edge';

/** The edge checked the depth before the data was sealed. */
const ANY_DEPTH = 1_000;

function withDigits(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJSON(value.toString());
  if (Array.isArray(value)) return value.map(withDigits);
  return isObject(value) && !isRawJSON(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDigits(part)]))
    : value;
}

/** Accepts bigint and `JSON.rawJSON`. A replacer would run for every value, and few are bigint. */
export function losslessJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(withDigits(value));
  }
}

/** For `losslessJson`: integers beyond 2^53 are bigint, decimals that a number would change `JSON.rawJSON`. */
export const parseLossless = (json: Buffer): unknown => parseJsonToWrite(json, ANY_DEPTH);
