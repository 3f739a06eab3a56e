import { Binary, isPlainObject } from './bson';
import type { Doc, ObjectId } from './bson';
import { EmbeddedUnsupported } from './errors';

/** MongoDB's order of types. Values compare with an operator only inside of one rank. */
export const ranks = {
  missing: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binary: 30,
  objectId: 35,
  boolean: 40,
  date: 45,
} as const;

const bsonRanks: Record<string, number> = {
  Binary: ranks.binary,
  UUID: ranks.binary,
  ObjectId: ranks.objectId,
};

const plainRanks: Record<string, number> = {
  undefined: ranks.missing,
  number: ranks.number,
  string: ranks.string,
  boolean: ranks.boolean,
};

function objectRank(value: object): number {
  if (Array.isArray(value)) return ranks.array;
  if (value instanceof Date) return ranks.date;
  if (value instanceof Uint8Array) return ranks.binary;
  if (isPlainObject(value)) return ranks.object;
  const type = '_bsontype' in value ? String(value._bsontype) : 'unknown';
  const rank = bsonRanks[type];
  if (rank === undefined) throw new EmbeddedUnsupported(`values of the type ${type}`);
  return rank;
}

export function rankOf(value: unknown): number {
  if (value === null) return ranks.missing;
  if (typeof value === 'object') return objectRank(value);
  const rank = plainRanks[typeof value];
  if (rank === undefined) throw new EmbeddedUnsupported(`values of the type ${typeof value}`);
  return rank;
}

function compareNumbers(x: number, y: number): number {
  if (x < y) return -1;
  if (x > y) return 1;
  return x >= y ? 0 : Number(!Number.isNaN(x)) - Number(!Number.isNaN(y));
}

export function binaryParts(value: unknown): { bytes: Uint8Array; subtype: number } {
  if (value instanceof Binary) return { bytes: value.buffer.subarray(0, value.position), subtype: value.sub_type };
  return { bytes: value as Uint8Array, subtype: 0 };
}

function compareBinaries(a: unknown, b: unknown): number {
  const [x, y] = [binaryParts(a), binaryParts(b)];
  return x.bytes.length - y.bytes.length || x.subtype - y.subtype || Buffer.compare(x.bytes, y.bytes);
}

function compareStrings(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  for (let n = 0; n < Math.min(a.length, b.length); n++) {
    const order = compare(a[n], b[n]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: object, b: object): number {
  const [x, y] = [Object.entries(a), Object.entries(b)];
  for (let n = 0; n < Math.min(x.length, y.length); n++) {
    const [[name, value], [otherName, other]] = [x[n] as [string, unknown], y[n] as [string, unknown]];
    const order = rankOf(value) - rankOf(other) || compareStrings(name, otherName) || compare(value, other);
    if (order !== 0) return order;
  }
  return x.length - y.length;
}

const comparers = new Map<number, (a: never, b: never) => number>([
  [ranks.number, compareNumbers],
  [ranks.string, compareStrings],
  [ranks.object, compareObjects],
  [ranks.array, compareArrays],
  [ranks.binary, compareBinaries],
  [ranks.objectId, (a: ObjectId, b: ObjectId) => Buffer.compare(a.id, b.id)],
  [ranks.boolean, (a: boolean, b: boolean) => Number(a) - Number(b)],
  [ranks.date, (a: Date, b: Date) => a.getTime() - b.getTime()],
]);

/** MongoDB's total order over values; null and missing are one. */
export function compare(a: unknown, b: unknown): number {
  const rank = rankOf(a);
  return rank - rankOf(b) || (comparers.get(rank)?.(a as never, b as never) ?? 0);
}

export function equals(a: unknown, b: unknown): boolean {
  return a === b || compare(a, b) === 0;
}

/** The value of a field of an index or an order. */
export function valueAt(doc: Doc, path: string): unknown {
  if (!path.includes('.')) return doc[path];
  let value: unknown = doc;
  for (const part of path.split('.')) {
    if (Array.isArray(value)) throw new EmbeddedUnsupported('an array on the path of an index or an order');
    if (!isPlainObject(value)) return undefined;
    value = value[part];
  }
  return value;
}
