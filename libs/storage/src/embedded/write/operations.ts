import type { DatabaseSync } from 'node:sqlite';
import type { Doc } from '../bson';
import { decode, encode, isPlainObject, normalised } from '../bson';
import { badValue } from '../errors';
import { type Collection, collectionsOf, makeCollection } from '../index/catalog';
import { rowAt } from '../index/scan';
import type { Found, Query } from '../read/query';
import { firstMatch, matches } from '../read/query';
import { compileUpdate } from '../update/compile';
import { seedOf, withId } from '../update/upsert';
import { beforeChange, insertDocument, removeDocument, rewriteDocument } from './documents';

/** How a document changes: an update in place, or another document under the same `_id`. */
export interface Modification {
  readonly apply: (doc: Doc, inserting: boolean) => Doc;
  /** The initial document of an upsert. */
  readonly seed: (filter: Doc) => Doc;
}

export function updateFrom(update: unknown): Modification {
  const change = compileUpdate(isPlainObject(update) ? normalised(update) : update);
  const apply = (doc: Doc, inserting: boolean): Doc => {
    change(doc, inserting);
    return doc;
  };
  return { apply, seed: seedOf };
}

export function replacementFrom(replacement: unknown): Modification {
  if (!isPlainObject(replacement)) throw badValue('A replacement must be a document');
  if (Object.keys(replacement)[0]?.startsWith('$'))
    throw badValue('Replacement document must not contain atomic operators');
  const next = normalised(replacement);
  return {
    apply: (doc) => ({ ...('_id' in doc && { _id: doc['_id'] }), ...next }),
    seed: (filter) => ('_id' in next ? {} : idOnly(seedOf(filter))),
  };
}

function idOnly(doc: Doc): Doc {
  return '_id' in doc ? { _id: doc['_id'] } : {};
}

export interface Changed {
  /** The document, where one was changed. */
  readonly after?: Uint8Array;
  readonly matched: number;
  readonly modified: number;
  readonly upsertedId?: unknown;
}

export interface Intent {
  readonly query: Query;
  readonly modification: Modification;
  readonly upsert?: boolean;
}

const none: Changed = { matched: 0, modified: 0 };

function change(collection: Collection, { row, doc }: Found, { apply }: Modification): Changed {
  const before = beforeChange(collection, row, doc);
  const after = rewriteDocument(collection, before, apply(doc, false));
  return { after, matched: 1, modified: after === row.d ? 0 : 1 };
}

function insertFor(db: DatabaseSync, name: string, { query, modification: { apply, seed } }: Intent): Changed {
  const doc = withId(apply(seed(query.given), true));
  const bytes = encode(doc);
  insertDocument(makeCollection(db, name), decode(bytes), bytes);
  return { ...none, upsertedId: doc['_id'] };
}

/** Changes the first match; inserts where there is none and the intent is an upsert. */
export function changeOne(db: DatabaseSync, name: string, intent: Intent): Changed {
  const collection = collectionsOf(db).get(name);
  const found = firstMatch(collection, intent.query);
  if (found && collection) return change(collection, found, intent.modification);
  return intent.upsert ? insertFor(db, name, intent) : none;
}

/** Read first, because a change may move a document ahead in the index that is read. */
export function matchingRows(db: DatabaseSync, name: string, query: Query): number[] {
  const collection = collectionsOf(db).get(name);
  return collection ? [...matches(collection, query)].map(({ row }) => row.r) : [];
}

export function changeRows(
  db: DatabaseSync,
  name: string,
  rows: readonly number[],
  { query, modification }: Intent,
): Changed {
  const collection = collectionsOf(db).get(name);
  let [matched, modified] = [0, 0];
  if (!collection) return none;
  for (const r of rows) {
    const row = rowAt(collection, r);
    const doc = row && decode(row.d);
    if (!doc || !query.filter.test(doc)) continue;
    matched += 1;
    modified += change(collection, { row, doc }, modification).modified;
  }
  return { matched, modified };
}

/** Returns how many it removed. */
export function removeMatches(db: DatabaseSync, name: string, query: Query, limit: number): number {
  const collection = collectionsOf(db).get(name);
  if (!collection) return 0;
  const gone: Found[] = [];
  for (const found of matches(collection, query)) {
    gone.push(found);
    if (gone.length === limit) break;
  }
  for (const { row, doc } of gone) removeDocument(collection, row.r, doc);
  return gone.length;
}
