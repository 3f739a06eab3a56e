import type { Bound, Bounds } from '../filter/bounds';
import { rankOf } from '../values';
import type { Index } from './definition';
import { after, keyOf } from './key';

/** Keys from `from` on and below `to`; undefined: to the end. */
export interface KeyRange {
  readonly from: Buffer;
  readonly to: Buffer | undefined;
}

export const everything: KeyRange = { from: Buffer.alloc(0), to: undefined };

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
function rangeOf(bound: Bound, direction: number): KeyRange {
  const value = (bound.lower ?? bound.upper)?.value;
  const ends = [rankOf(value), rankOf(value) + 1].map((byte) => Buffer.from([byte])) as [Buffer, Buffer];
  const key = (end: { value: unknown }): Buffer => keyOf([end.value], [1]);
  const from = bound.lower ? (bound.lower.inclusive ? key(bound.lower) : (after(key(bound.lower)) as Buffer)) : ends[0];
  const to = bound.upper ? (bound.upper.inclusive ? (after(key(bound.upper)) as Buffer) : key(bound.upper)) : ends[1];
  return direction === 1 ? { from, to } : { from: after(turned(to)) as Buffer, to: after(turned(from)) };
}

/** Where the bytes of keys are turned round, what began at `from` now ends behind it, and what ended at `to` begins behind that. */
function turned(end: Buffer): Buffer {
  return Buffer.from(end.map((byte) => ~byte));
}

/** The ranges of keys in which all matches lie, and how many leading fields are fixed in each. */
export function rangesFor(index: Index, bounds: Bounds): { ranges: KeyRange[]; fixed: number; ranged: boolean } {
  const { prefixes, fixed } = prefixesFor(index, bounds);
  const path = index.paths[fixed];
  const bound = path === undefined ? undefined : bounds.get(path);
  const ranged = bound !== undefined && (bound.lower !== undefined || bound.upper !== undefined);
  const ranges = prefixes.map((prefix): KeyRange => {
    if (!ranged) return prefix.length === 0 ? everything : { from: prefix, to: after(prefix) };
    const { from, to } = rangeOf(bound, index.directions[fixed] as number);
    return { from: Buffer.concat([prefix, from]), to: to && Buffer.concat([prefix, to]) };
  });
  return { ranges, fixed, ranged };
}
