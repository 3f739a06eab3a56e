import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { EmbeddedUnsupported } from '../errors';
import type { Sort } from '../index/planner';
import { compare } from '../values';

export function sortFrom(sort: unknown = {}): Sort {
  if (!isPlainObject(sort)) throw new EmbeddedUnsupported('an order that is no document');
  return Object.entries(sort).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1) throw new EmbeddedUnsupported('a direction other than 1 and -1');
    return [path, direction];
  });
}

interface SortValue {
  readonly value: unknown;
  readonly empty: boolean;
}

const missing: SortValue = { value: undefined, empty: false };
const emptyArray: SortValue = { value: undefined, empty: true };

const order = (a: SortValue, b: SortValue): number => Number(b.empty) - Number(a.empty) || compare(a.value, b.value);

function leafValues(value: unknown): readonly SortValue[] {
  if (!Array.isArray(value)) return [{ value, empty: false }];
  return value.length === 0 ? [emptyArray] : value.map((element: unknown) => ({ value: element, empty: false }));
}

/** Elements without the field count as null, other than in a filter. */
function* sortValues(value: unknown, path: readonly string[], at: number): Generator<SortValue> {
  if (at === path.length) {
    yield* leafValues(value);
    return;
  }
  const part = path[at] as string;
  if (isPlainObject(value)) yield* sortValues(value[part], path, at + 1);
  else if (!Array.isArray(value) || value.length === 0) yield missing;
  else if (/^\d+$/.test(part)) yield* sortValues(value[Number(part)], path, at + 1);
  else for (const element of value) yield* isPlainObject(element) ? sortValues(element[part], path, at + 1) : [missing];
}

/** An array sorts by its smallest element upwards and by its greatest downwards; an empty one before null. */
function sortValue(doc: Doc, path: readonly string[], turn: 1 | -1): SortValue {
  const [first, ...others] = sortValues(doc, path, 0);
  return others.reduce<SortValue>((best, next) => (order(next, best) * turn < 0 ? next : best), first ?? missing);
}

export function comparator(sort: Sort): (a: Doc, b: Doc) => number {
  const fields = sort.map(([path, turn]) => ({ path: path.split('.'), turn }));
  return (a, b) => {
    for (const { path, turn } of fields) {
      const difference = order(sortValue(a, path, turn), sortValue(b, path, turn));
      if (difference !== 0) return difference * turn;
    }
    return 0;
  };
}
