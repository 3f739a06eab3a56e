import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { EmbeddedUnsupported } from '../errors';
import type { Sort } from '../index/planner';
import { compare, valueAt } from '../values';

export function sortFrom(sort: unknown = {}): Sort {
  if (!isPlainObject(sort)) throw new EmbeddedUnsupported('an order that is no document');
  return Object.entries(sort).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1) throw new EmbeddedUnsupported('a direction other than 1 and -1');
    return [path, direction];
  });
}

function sortValue(doc: Doc, path: string): unknown {
  const value = valueAt(doc, path);
  if (Array.isArray(value)) throw new EmbeddedUnsupported('to sort by an array');
  return value;
}

export function comparator(sort: Sort): (a: Doc, b: Doc) => number {
  return (a, b) => {
    for (const [path, turn] of sort) {
      const difference = compare(sortValue(a, path), sortValue(b, path));
      if (difference !== 0) return difference * turn;
    }
    return 0;
  };
}
