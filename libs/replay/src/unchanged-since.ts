import type { StoredDocument } from './projection';

/** Matches a document only while these fields are unchanged; of a list, its length. */
export function unchangedSince(
  seen: StoredDocument,
  fields: readonly string[],
): Pick<StoredDocument, '_id' | 'ws'> & Readonly<Record<string, unknown>> {
  const values: Readonly<Record<string, unknown>> = { ...seen };
  return {
    ...Object.fromEntries(fields.map((field) => [field, conditionOf(values[field])])),
    _id: seen._id,
    ws: seen.ws,
  };
}

function conditionOf(value: unknown): unknown {
  if (value === undefined) return { $exists: false };
  return Array.isArray(value) ? { $size: value.length } : value;
}
