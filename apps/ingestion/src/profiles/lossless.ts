import { parseJson } from '@opendsr-service/edge';

/** Data of a person that came in stays as it came: what we sealed ourselves was checked for its depth at the edge. */
const ANY_DEPTH = 1_000;

/** `JSON.rawJSON` writes a number's digits as they are; the library types of TypeScript do not know it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(this: void, text: string): unknown };

/** JSON whose integers may be bigint, as the edge's parser gives them. */
export const losslessJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? rawJSON(part.toString()) : part));

export const parseLossless = (json: Buffer): unknown => parseJson(json, ANY_DEPTH);
