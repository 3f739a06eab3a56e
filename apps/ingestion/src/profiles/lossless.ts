import { isObject, parseJson } from '@opendsr-service/edge';

/** The edge checked the depth before the data was sealed. */
const ANY_DEPTH = 1_000;

/** The library types of TypeScript lack `JSON.rawJSON`, which writes digits unchanged. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(this: void, text: string): unknown };

function withDigits(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJSON(value.toString());
  if (Array.isArray(value)) return value.map(withDigits);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDigits(part)]))
    : value;
}

/** Accepts bigint. A replacer would run for every value, and few are bigint. */
export function losslessJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(withDigits(value));
  }
}

export const parseLossless = (json: Buffer): unknown => parseJson(json, ANY_DEPTH);
