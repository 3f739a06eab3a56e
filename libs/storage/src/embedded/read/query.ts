import type { Doc } from '../bson';
import { decode, isPlainObject, normalised } from '../bson';
import { badValue } from '../errors';
import type { Filter } from '../filter/compile';
import { compileFilter } from '../filter/compile';
import type { Collection } from '../index/catalog';
import { keyOf } from '../index/key';
import type { Sort } from '../index/planner';
import { planFor } from '../index/planner';
import type { Row } from '../index/scan';
import { rowById, scan } from '../index/scan';
import { comparator, sortFrom } from './order';

export interface Query {
  readonly given: Doc;
  readonly filter: Filter;
  readonly sort: Sort;
}

export interface Found {
  readonly row: Row;
  readonly doc: Doc;
}

/** Throws on every operator that is not supported, before anything is read. */
export function queryFrom(filter: unknown, sort?: unknown): Query {
  if (filter !== undefined && filter !== null && !isPlainObject(filter)) throw badValue('A filter must be a document');
  const given = normalised(filter ?? {});
  return { given, filter: compileFilter(given), sort: sortFrom(sort) };
}

/** The `_id` of the only document that can match; undefined where the filter leaves more than one open. */
export function singleId({ filter }: Query): Buffer | undefined {
  const ids = filter.bounds.get('_id')?.in;
  return ids?.length === 1 ? keyOf(ids, [1]) : undefined;
}

export function* matches(collection: Collection, query: Query, read = decode): Generator<Found, void> {
  const id = singleId(query);
  if (id) {
    const row = rowById(collection, id);
    const doc = row && read(row.d);
    if (doc && query.filter.test(doc)) yield { row, doc };
    return;
  }
  const plan = planFor(collection, query.filter, query.sort);
  const found: Found[] = [];
  for (const row of scan(collection, plan)) {
    const doc = read(row.d);
    if (!query.filter.test(doc)) continue;
    if (plan.sorted) yield { row, doc };
    else found.push({ row, doc });
  }
  const order = comparator(query.sort);
  yield* found.sort((a, b) => order(a.doc, b.doc));
}

export function firstMatch(collection: Collection | undefined, query: Query, read = decode): Found | undefined {
  for (const found of collection ? matches(collection, query, read) : []) return found;
  return undefined;
}
