import type { DatabaseSync } from 'node:sqlite';
import type { Doc } from '../bson';
import { decode, encode, isPlainObject, normalised } from '../bson';
import { badValue } from '../errors';
import type { CollectionFile } from '../index/catalog';
import { collectionsOf, makeCollection } from '../index/catalog';
import { rowAt } from '../index/scan';
import type { Found, Query } from '../read/query';
import { firstMatch, matches } from '../read/query';
import { compileUpdate } from '../update/compile';
import { seedOf, withId } from '../update/upsert';
import { entriesOf, insertDocument, removeDocument, rewriteDocument } from './documents';

/** How a document changes: an update in place, or another document under the same `_id`. */
export interface Modification {
  readonly apply: (doc: Doc, inserting: boolean) => Doc;
  /** What an upsert begins with. */
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
  if (Object.keys(replacement)[0]?.startsWith('$')) throw badValue('Replacement document must not contain atomic operators');
  const next = normalised(replacement);
  return { apply: (doc) => ({ ...('_id' in doc && { _id: doc['_id'] }), ...next }), seed: (filter) => ('_id' in next ? {} : idOnly(seedOf(filter))) };
}

function idOnly(doc: Doc): Doc {
  return '_id' in doc ? { _id: doc['_id'] } : {};
}

export interface Changed {
  /** Bytes, so that the caller reads them as it was asked to. */
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  readonly matched: number;
  readonly modified: number;
  readonly upsertedId?: unknown;
}

const none: Changed = { matched: 0, modified: 0 };

function change(db: DatabaseSync, collection: CollectionFile, { row, doc }: Found, { apply }: Modification): Changed {
  const entries = entriesOf(collection, doc);
  const { _id: id } = doc;
  const after = rewriteDocument(db, collection, row, entries, id, apply(doc, false));
  return { before: row.d, after, matched: 1, modified: after === row.d ? 0 : 1 };
}

function upsert(db: DatabaseSync, name: string, query: Query, { apply, seed }: Modification): Changed {
  const doc = withId(apply(seed(query.given), true));
  const bytes = encode(doc);
  insertDocument(db, makeCollection(db, name), decode(bytes), bytes);
  return { ...none, after: bytes, upsertedId: doc['_id'] };
}

/** Changes the first match; inserts where there is none and `upserting` asks for it. */
export function changeOne(db: DatabaseSync, name: string, query: Query, modification: Modification, upserting: boolean): Changed {
  const collection = collectionsOf(db).get(name);
  const found = firstMatch(db, collection, query);
  if (!found || !collection) return upserting ? upsert(db, name, query, modification) : none;
  return change(db, collection, found, modification);
}

/** The row numbers of all matches: taken first, because a change may move a document ahead in the index that is being read. */
export function matchingRows(db: DatabaseSync, name: string, query: Query): number[] {
  const collection = collectionsOf(db).get(name);
  return collection ? [...matches(db, collection, query)].map(({ row }) => row.r) : [];
}

/** Changes those of the rows that still match. */
export function changeRows(db: DatabaseSync, name: string, rows: readonly number[], query: Query, modification: Modification): Changed {
  const collection = collectionsOf(db).get(name);
  let [matched, modified] = [0, 0];
  for (const r of collection ? rows : []) {
    const row = rowAt(db, collection as CollectionFile, r);
    const doc = row && decode(row.d);
    if (!doc || !query.filter.test(doc)) continue;
    matched += 1;
    modified += change(db, collection as CollectionFile, { row, doc }, modification).modified;
  }
  return { matched, modified };
}

/** Removes up to `limit` matches and gives back what they were. */
export function removeMatches(db: DatabaseSync, name: string, query: Query, limit: number): Uint8Array[] {
  const collection = collectionsOf(db).get(name);
  const gone: Found[] = [];
  for (const found of collection ? matches(db, collection, query) : []) {
    gone.push(found);
    if (gone.length === limit) break;
  }
  for (const { row, doc } of gone) removeDocument(db, collection as CollectionFile, row.r, doc);
  return gone.map(({ row }) => row.d);
}
