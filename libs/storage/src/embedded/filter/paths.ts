import type { Doc } from '../bson';
import { isPlainObject } from '../bson';

/** A value at a path: missing is undefined. `whole` marks the array itself, after its elements. */
type Visit = (value: unknown, whole: boolean) => boolean;

const isIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

function visitElements(elements: readonly unknown[], path: readonly string[], at: number, visit: Visit): boolean {
  const part = path[at] as string;
  for (const element of elements) {
    if (isPlainObject(element) && visitPath(element, path, at, visit)) return true;
  }
  if (!isIndex(part) || Number(part) >= elements.length) return false;
  const element = elements[Number(part)];
  // An element named by its index is not opened again.
  if (at + 1 === path.length) return visit(element, Array.isArray(element));
  return Array.isArray(element) || isPlainObject(element) ? visitValue(element, path, at + 1, visit) : false;
}

function visitLeaf(value: unknown, visit: Visit): boolean {
  if (!Array.isArray(value)) return visit(value, false);
  for (const element of value) if (visit(element, false)) return true;
  return visit(value, true);
}

function visitValue(value: unknown, path: readonly string[], at: number, visit: Visit): boolean {
  if (at === path.length) return visitLeaf(value, visit);
  if (Array.isArray(value)) return visitElements(value, path, at, visit);
  return isPlainObject(value) ? visitPath(value, path, at, visit) : visit(undefined, false);
}

/** Visits all values that MongoDB sees at a path, through arrays, until `visit` returns true. */
export function visitPath(doc: Doc, path: readonly string[], at: number, visit: Visit): boolean {
  return visitValue(doc[path[at] as string], path, at + 1, visit);
}
