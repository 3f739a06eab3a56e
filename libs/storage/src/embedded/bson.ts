import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;

export const { Binary, ObjectId } = BSON;

export type ObjectId = InstanceType<typeof ObjectId>;
export type Doc = Record<string, unknown>;

/** The bytes that the MongoDB driver would send; functions are kept so that they can be refused. */
export function encode(doc: Doc): Uint8Array {
  return BSON.serialize(doc, { ignoreUndefined: false, serializeFunctions: true });
}

/** For changing a document: a Long stays a Long, so that writing it back does not turn it into another type. */
export function decode(bytes: Uint8Array): Doc {
  return BSON.deserialize(bytes, { promoteLongs: false });
}

/** For returned documents, as the MongoDB driver reads them. */
export function decodeToReturn(bytes: Uint8Array): Doc {
  return BSON.deserialize(bytes);
}

/** A filter or an update in wire form: plain values, no functions. */
export function normalised(value: Doc): Doc {
  return decode(encode(value));
}

/** A deep copy. */
export function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? decode(encode({ value }))['value'] : value;
}

export function isPlainObject(value: unknown): value is Doc {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return (
    !('_bsontype' in value) && !(value instanceof Date) && !(value instanceof RegExp) && !(value instanceof Uint8Array)
  );
}
