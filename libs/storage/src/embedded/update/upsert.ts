import type { Doc } from '../bson';
import { copyOf, isPlainObject, ObjectId } from '../bson';
import { serverError } from '../errors';
import { isOperators } from '../filter/operators';
import { FieldPath } from './field-path';

function equalitiesIn(operand: unknown): readonly unknown[] {
  if (!isOperators(operand)) return [operand];
  const { $in: list } = operand;
  return Array.isArray(list) && list.length === 1 ? list : [];
}

function collect(filter: Doc, found: Map<string, unknown>): void {
  for (const [name, operand] of Object.entries(filter)) {
    const clauses = Array.isArray(operand) ? operand.filter(isPlainObject) : [];
    if (name === '$and' || (name === '$or' && clauses.length === 1))
      clauses.forEach((clause) => collect(clause, found));
    if (name.startsWith('$')) continue;
    for (const value of equalitiesIn(operand)) {
      if (
        [...found.keys()].some((path) => path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`))
      ) {
        throw serverError(54, `cannot infer query fields to set, path '${name}' is matched twice`);
      }
      found.set(name, value);
    }
  }
}

/** The initial document of an upsert: the equalities of the filter. */
export function seedOf(filter: Doc): Doc {
  const found = new Map<string, unknown>();
  collect(filter, found);
  const doc: Doc = {};
  for (const [path, value] of [...found].sort(([a], [b]) => (a < b ? -1 : 1)))
    new FieldPath(doc, path.split('.')).set(copyOf(value));
  return doc;
}

/** Puts `_id` first, as MongoDB stores it. */
export function withId(doc: Doc): Doc {
  const { _id: id = new ObjectId(), ...rest } = doc;
  return { _id: id, ...rest };
}
