import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import { visitPath } from '../filter/paths';
import type { Sort } from '../index/planner';
import { compare } from '../values';

function direction(value: unknown): 1 | -1 {
  if (value === 1 || value === 'asc' || value === 'ascending') return 1;
  if (value === -1 || value === 'desc' || value === 'descending') return -1;
  if (isPlainObject(value)) throw new EmbeddedUnsupported('sorting by $meta');
  throw badValue('A sort direction must be 1 or -1');
}

/** All forms in which the MongoDB driver takes a sort. */
export function sortFrom(sort: unknown): Sort {
  if (sort === undefined || sort === null) return [];
  if (typeof sort === 'string') return [[sort, 1]];
  if (sort instanceof Map) return [...(sort as Map<string, unknown>)].map(([path, value]) => [path, direction(value)]);
  if (Array.isArray(sort)) {
    if (sort.length === 2 && typeof sort[0] === 'string' && !Array.isArray(sort[1])) return [[sort[0], direction(sort[1])]];
    return sort.map((entry: unknown) => (Array.isArray(entry) ? [String(entry[0]), direction(entry[1])] : [String(entry), 1]));
  }
  return Object.entries(sort).map(([path, value]) => [path, direction(value)]);
}

/** An array sorts by its smallest element upwards and by its greatest downwards; an empty one before null. */
function sortValue(doc: Doc, path: readonly string[], turn: 1 | -1): { value: unknown; empty: boolean } {
  let best: { value: unknown } | undefined;
  let sawArray = false;
  visitPath(doc, path, 0, (value, whole) => {
    if (whole) sawArray = true;
    else if (!best || compare(value, best.value) * turn < 0) best = { value };
    return false;
  });
  return { value: best?.value, empty: sawArray && !best };
}

export function comparator(sort: Sort): (a: Doc, b: Doc) => number {
  const fields = sort.map(([path, turn]) => ({ path: path.split('.'), turn }));
  return (a, b) => {
    for (const { path, turn } of fields) {
      const [x, y] = [sortValue(a, path, turn), sortValue(b, path, turn)];
      const order = Number(y.empty) - Number(x.empty) || compare(x.value, y.value);
      if (order !== 0) return order * turn;
    }
    return 0;
  };
}
