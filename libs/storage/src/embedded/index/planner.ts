import type { Bound, Bounds } from '../filter/bounds';
import type { Filter } from '../filter/compile';
import { compare, equals, rankOf } from '../values';
import type { Collection } from './catalog';
import type { Index } from './definition';
import type { KeyRange, LastField } from './ranges';
import { everything, lastFieldOf, rangesFor } from './ranges';

export type Sort = readonly (readonly [path: string, direction: 1 | -1])[];

export interface Plan {
  /** Undefined: all documents in their natural order. */
  readonly index: Index | undefined;
  readonly ranges: readonly KeyRange[];
  /** The filter's condition on the last field of the keys, where the ranges do not cover it. */
  readonly last?: LastField | undefined;
  readonly reverse: boolean;
  /** Whether the scan returns the wanted order. */
  readonly sorted: boolean;
  /** Whether each of its ranges, scanned alone, does. */
  readonly sortedApart: boolean;
}

/** The query must imply the filter of a partial index, or the index would hide matches. */
function implied(partial: Filter, bounds: Bounds): boolean {
  return [...partial.bounds].every(([path, wanted]) => {
    const bound = bounds.get(path);
    if (!bound || isOnlyExclusion(bound)) return false;
    if (bound.in) return bound.in.every((value) => value !== null && partialHolds(partial, path, value));
    const onlyExistence = wanted.exists && !wanted.in && !wanted.lower && !wanted.upper;
    return onlyExistence ? true : sameBound(bound, wanted);
  });
}

const isOnlyExclusion = ({ in: among, lower, upper, exists }: Bound): boolean => !among && !lower && !upper && !exists;

/** The value satisfies the partial filter's condition on this one path. */
function partialHolds({ bounds }: Filter, path: string, value: unknown): boolean {
  const wanted = bounds.get(path);
  if (!wanted) return true;
  return liesWithin(wanted, value) && (!wanted.in || wanted.in.some((one) => equals(one, value)));
}

/** A range holds values of one type only. */
function liesWithin({ lower, upper }: Bound, value: unknown): boolean {
  const beyond = (end: Bound['lower'], turn: 1 | -1): boolean => {
    if (!end) return false;
    const order = compare(value, end.value) * turn;
    return rankOf(value) !== rankOf(end.value) || order < 0 || (order === 0 && !end.inclusive);
  };
  return !beyond(lower, 1) && !beyond(upper, -1);
}

function sameBound(a: Bound, b: Bound): boolean {
  const same = (x: Bound['lower'], y: Bound['lower']): boolean =>
    x && y ? x.inclusive === y.inclusive && equals(x.value, y.value) : x === y;
  return !b.in && same(a.lower, b.lower) && same(a.upper, b.upper);
}

/** How an index gives the wanted order behind its first `fixed` fields, which are equal in all matches. */
function orderOf(index: Index, fixed: number, sort: Sort): 'forward' | 'backward' | undefined {
  const open = sort.filter(([path]) => !index.paths.slice(0, fixed).includes(path));
  const turns = open.map(([path, direction], n) =>
    index.paths[fixed + n] === path ? direction * (index.directions[fixed + n] as number) : 0,
  );
  if (turns.every((turn) => turn === 1)) return 'forward';
  return turns.every((turn) => turn === -1) ? 'backward' : undefined;
}

interface Candidate extends Plan {
  readonly score: number;
}

/** A unique index that finds one document wins; else each fixed field counts most, then a range, then order. */
function scoreOf(
  { spec, paths, table }: Index,
  fixed: number,
  { ranged, ordered }: { ranged: boolean; ordered: boolean },
): number {
  const single = (spec.unique === true || table === undefined) && fixed === paths.length;
  return Number(single) * 100 + fixed * 10 + Number(ranged) * 5 + Number(ordered) * 3;
}

/** Whether the index has an entry of every match. */
export const isUsable = ({ partial, readable, isFilled }: Index, bounds: Bounds): boolean =>
  isFilled && (!partial || (readable && implied(partial, bounds)));

function candidate(index: Index, bounds: Bounds, sort: Sort): Candidate | undefined {
  if (!isUsable(index, bounds)) return undefined;
  const { ranges, fixed, ranged } = rangesFor(index, bounds);
  const order = orderOf(index, fixed, sort);
  const wanted = sort.length > 0;
  const sorted = !wanted || (order !== undefined && ranges.length === 1);
  const last = lastFieldOf(index, bounds, fixed);
  return {
    index,
    ranges,
    last,
    reverse: order === 'backward',
    sorted,
    sortedApart: order !== undefined,
    score: scoreOf(index, fixed, { ranged, ordered: wanted && sorted }),
  };
}

/** The index whose equal leading fields, then a range, then order serve the query best; else all documents. */
export function planFor(collection: Collection, { bounds }: Filter, sort: Sort): Plan {
  let best: Candidate | undefined;
  for (const index of collection.indexes) {
    const next = candidate(index, bounds, sort);
    if (next && next.score > (best?.score ?? 0)) best = next;
  }
  const sorted = sort.length === 0;
  return best ?? { index: undefined, ranges: [everything], reverse: false, sorted, sortedApart: sorted };
}
