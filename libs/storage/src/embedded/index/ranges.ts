import type { Bound, Bounds } from '../filter/bounds';
import { rankOf, ranks } from '../values';
import type { Index } from './definition';
import { after, keyOf } from './key';

/** Keys from `from` on and below `to`; undefined: to the end. */
export interface KeyRange {
  readonly from: Buffer;
  readonly to: Buffer | undefined;
  /** Bytes of the fixed leading fields in each key. */
  readonly fixedBytes: number;
}

/** Allowed or excluded values of the last field of each key. */
export interface LastField {
  readonly is: 'IN' | 'NOT IN';
  readonly keys: readonly Buffer[];
  /** Bytes between the fixed fields and the last one. */
  readonly behindBytes: number;
}

export const everything: KeyRange = { from: Buffer.alloc(0), to: undefined, fixedBytes: 0 };

const maxPrefixes = 256;

function prefixesFor(index: Index, bounds: Bounds): { prefixes: Buffer[]; fixed: number } {
  let values: unknown[][] = [[]];
  let fixed = 0;
  for (const path of index.paths) {
    const wanted = bounds.get(path)?.in;
    if (!wanted || values.length * wanted.length > maxPrefixes) break;
    values = values.flatMap((head) => wanted.map((value) => [...head, value]));
    fixed += 1;
  }
  const keys = values.map((list) => keyOf(list, index.directions));
  return { prefixes: [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()], fixed };
}

/** All values of one type lie between its rank byte and the next. */
function rangeOf(bound: Bound, direction: number): Pick<KeyRange, 'from' | 'to'> {
  const value = (bound.lower ?? bound.upper)?.value;
  const ends = [rankOf(value), rankOf(value) + 1].map((byte) => Buffer.from([byte])) as [Buffer, Buffer];
  const key = (end: { value: unknown }): Buffer => keyOf([end.value], [1]);
  const from = bound.lower ? (bound.lower.inclusive ? key(bound.lower) : (after(key(bound.lower)) as Buffer)) : ends[0];
  const to = bound.upper ? (bound.upper.inclusive ? (after(key(bound.upper)) as Buffer) : key(bound.upper)) : ends[1];
  return direction === 1 ? { from, to } : { from: after(turned(to)) as Buffer, to: after(turned(from)) };
}

/** Inverted bytes swap the ends of a range. */
function turned(end: Buffer): Buffer {
  return Buffer.from(end.map((byte) => ~byte));
}

const isRange = (bound: Bound | undefined): bound is Bound =>
  bound !== undefined && (bound.lower !== undefined || bound.upper !== undefined);

/** The ranges of keys in which all matches lie, and how many leading fields are fixed in each. */
export function rangesFor(index: Index, bounds: Bounds): { ranges: KeyRange[]; fixed: number; ranged: boolean } {
  const { prefixes, fixed } = prefixesFor(index, bounds);
  const path = index.paths[fixed];
  const bound = path === undefined ? undefined : bounds.get(path);
  const ranged = isRange(bound);
  const ranges = prefixes.map((prefix): KeyRange => {
    if (!ranged)
      return prefix.length === 0 ? everything : { from: prefix, to: after(prefix), fixedBytes: prefix.length };
    const { from, to } = rangeOf(bound, index.directions[fixed] as number);
    return { from: Buffer.concat([prefix, from]), to: to && Buffer.concat([prefix, to]), fixedBytes: prefix.length };
  });
  return { ranges, fixed, ranged };
}

/** A rank byte and the time. */
const dateBytes = 9;
const maxKeys = 16_384;

/** Skips documents whose index key already excludes them; otherwise a scan would read every document of a range. */
export function lastFieldOf(index: Index, bounds: Bounds, fixed: number): LastField | undefined {
  const before = bytesOf(bounds.get(index.paths[fixed] ?? ''));
  const place = index.paths.length - 1;
  if (before === undefined || place !== fixed + Number(before > 0)) return undefined;
  const { in: among, notIn } = bounds.get(index.paths[place] as string) ?? {};
  const values = among ?? notIn;
  if (!values || !areKeys(values)) return undefined;
  const keys = values.map((value) => keyOf([value], [index.directions[place] as number]));
  return { is: among ? 'IN' : 'NOT IN', keys, behindBytes: before };
}

/** How many bytes a field takes in a key; 0: it is no range. Undefined where that differs from key to key. */
function bytesOf(bound: Bound | undefined): number | undefined {
  if (!isRange(bound)) return 0;
  return rankOf((bound.lower ?? bound.upper)?.value) === ranks.date ? dateBytes : undefined;
}

const areKeys = (values: readonly unknown[]): boolean =>
  values.length > 0 && values.length <= maxKeys && values.every((value) => value === null || typeof value !== 'object');
