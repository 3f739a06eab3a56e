import type { Doc } from '../bson';
import { isPlainObject, normalised } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import type { Filter } from '../filter/compile';
import { compileFilter } from '../filter/compile';
import { isOperators } from '../filter/operators';
import { compare, valueAt } from '../values';
import { keyOf } from './key';

/** An index as stored in the file; the fields of `listIndexes`. */
export interface IndexSpec {
  readonly v: 2;
  readonly key: Record<string, 1 | -1>;
  readonly name: string;
  readonly unique?: true;
  readonly partialFilterExpression?: Doc;
}

export interface Index {
  readonly spec: IndexSpec;
  readonly paths: readonly string[];
  readonly directions: readonly number[];
  /** The table of its entries; undefined for `_id`, whose keys lie in the table of the documents. */
  readonly table: number | undefined;
  readonly partial: Filter | undefined;
  /** Whether a query can imply the partial filter: only where the filter says no more than its bounds. */
  readonly readable: boolean;
  /** Whether all documents have been gone through. Until then writes maintain it, and nothing reads it. */
  readonly isFilled: boolean;
}

export const idIndex: Index = {
  spec: { v: 2, key: { _id: 1 }, name: '_id_' },
  paths: ['_id'],
  directions: [1],
  table: undefined,
  partial: undefined,
  readable: true,
  isFilled: true,
};

export function indexFrom(spec: IndexSpec, table: number, isFilled = true): Index {
  const partial = spec.partialFilterExpression && compileFilter(spec.partialFilterExpression);
  return {
    spec,
    paths: Object.keys(spec.key),
    directions: Object.values(spec.key),
    table,
    partial,
    readable: !partial || partial.bounds.size === Object.keys(spec.partialFilterExpression ?? {}).length,
    isFilled,
  };
}

/** The key of a document in an index; undefined where the index leaves it out. A missing field counts as null. */
export function entryOf(index: Index, doc: Doc): Buffer | undefined {
  if (index.partial && !index.partial.test(doc)) return undefined;
  return keyOf(
    index.paths.map((path) => valueAt(doc, path)),
    index.directions,
  );
}

const known = new Set(['name', 'unique', 'partialFilterExpression']);
const inPartials = new Set(['$gt', '$gte', '$lt', '$lte', '$exists']);

function checkPartial(filter: Doc): void {
  for (const [name, operand] of Object.entries(filter)) {
    const operators = isOperators(operand) ? Object.entries(operand) : [];
    const wrong = operators.find(
      ([operator, value]) => !inPartials.has(operator) || (operator === '$exists' && !value),
    );
    if (wrong || name.startsWith('$')) throw new EmbeddedUnsupported(`${wrong?.[0] ?? name} in a partial index`);
  }
}

function keyFrom(keys: Doc): Record<string, 1 | -1> {
  const key: Record<string, 1 | -1> = {};
  for (const [path, direction] of Object.entries(normalised(keys))) {
    if (direction !== 1 && direction !== -1) throw new EmbeddedUnsupported(`an index of the kind ${String(direction)}`);
    if (path.includes('$')) throw new EmbeddedUnsupported('wildcard indexes');
    key[path] = direction;
  }
  if (Object.keys(key).length === 0) throw badValue('Index keys cannot be empty');
  return key;
}

/** The specification of a new index as MongoDB would list it; throws where this store does not support it. */
export function specFrom(keys: Doc, options: Doc): IndexSpec {
  const key = keyFrom(keys);
  const unknown = Object.entries(options).find(
    ([name, value]) => !known.has(name) && value !== undefined && value !== false,
  );
  if (unknown) throw new EmbeddedUnsupported(`the index option ${unknown[0]}`);
  const { name, unique, partialFilterExpression: partial } = normalised(options);
  if (isPlainObject(partial)) checkPartial(partial);
  return {
    v: 2,
    key,
    name:
      typeof name === 'string'
        ? name
        : Object.entries(key)
            .map(([path, direction]) => `${path}_${direction}`)
            .join('_'),
    ...(unique === true && { unique }),
    ...(isPlainObject(partial) && { partialFilterExpression: partial }),
  };
}

export const sameSpec = (a: IndexSpec, b: IndexSpec): boolean => compare({ ...a }, { ...b }) === 0;
