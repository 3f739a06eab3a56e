import type { Doc } from '../bson';
import { copyOf, isPlainObject, ObjectId } from '../bson';
import { isOperators } from '../filter/operators';
import { Place } from './places';

function equalityIn(operand: unknown): { value: unknown } | undefined {
  if (operand instanceof RegExp) return undefined;
  if (!isOperators(operand)) return { value: operand };
  if ('$eq' in operand) return { value: operand['$eq'] };
  const { $all: all, $in: list } = operand;
  const single = Array.isArray(all) ? all : list;
  return Array.isArray(single) && single.length === 1 && !isOperators(single[0]) && !(single[0] instanceof RegExp) ? { value: single[0] } : undefined;
}

function collect(filter: Doc, doc: Doc): void {
  for (const [name, operand] of Object.entries(filter)) {
    const clauses = Array.isArray(operand) ? operand.filter(isPlainObject) : [];
    if (name === '$and' || (name === '$or' && clauses.length === 1)) clauses.forEach((clause) => collect(clause, doc));
    if (name.startsWith('$')) continue;
    const equal = equalityIn(operand);
    if (equal) new Place(doc, name.split('.')).set(copyOf(equal.value));
  }
}

/** The document that an upsert begins with: all that the filter demands to be equal. */
export function seedOf(filter: Doc): Doc {
  const doc: Doc = {};
  collect(filter, doc);
  return doc;
}

/** `_id` stands first in every document, as MongoDB stores it. */
export function withId(doc: Doc): Doc {
  const { _id: id = new ObjectId(), ...rest } = doc;
  return { _id: id, ...rest };
}
