import type { DatabaseSync } from 'node:sqlite';
import { preparedStatement } from '../../sqlite/statements';
import type { Doc } from '../bson';
import { decode } from '../bson';
import { duplicateKeyError, serverError } from '../errors';
import { compare } from '../values';
import type { Collection } from './catalog';
import { addIndex, collectionsOf, makeCollection, removeIndex } from './catalog';
import type { Index, IndexSpec } from './definition';
import { entryOf, idIndex, sameSpec } from './definition';
import { scan, wholeCollection } from './scan';

function fill(collection: Collection, index: Index): void {
  const { db } = collection;
  const { unique, name, key } = index.spec;
  const holds = preparedStatement(db, `SELECT 1 FROM i${index.table} WHERE k = ? LIMIT 1`);
  const insert = preparedStatement(db, `INSERT INTO i${index.table} (k, r) VALUES (?, ?)`);
  for (const row of scan(collection, wholeCollection)) {
    const entry = entryOf(index, decode(row.d));
    if (!entry) continue;
    if (unique && holds.get(entry)) throw duplicateKeyError(name, key);
    insert.run(entry, row.r);
  }
}

function refuseConflict(existing: Index, wanted: IndexSpec): void {
  if (existing.spec.name === wanted.name)
    throw serverError(86, `An existing index has the same name as the requested index: ${wanted.name}`);
  if (sameSpec({ ...existing.spec, name: wanted.name }, wanted))
    throw serverError(85, `Index already exists with a different name: ${existing.spec.name}`);
}

/** Creates the index and its entries unless it exists. Throws E11000 where documents collide; undo it then. */
export function createIndex(db: DatabaseSync, name: string, spec: IndexSpec): string {
  const collection = makeCollection(db, name);
  const isId = compare({ ...spec.key }, { ...idIndex.spec.key }) === 0;
  if (isId || collection.indexes.some((index) => sameSpec(index.spec, spec)))
    return isId ? idIndex.spec.name : spec.name;
  collection.indexes.forEach((existing) => refuseConflict(existing, spec));
  fill(collection, addIndex(collection, spec));
  return spec.name;
}

export function dropIndex(db: DatabaseSync, name: string, indexName: string): void {
  const index = collectionsOf(db)
    .get(name)
    ?.indexes.find(({ spec }) => spec.name === indexName);
  if (!index) throw serverError(27, `index not found with name [${indexName}]`);
  if (index.table === undefined) throw serverError(72, 'cannot drop _id index');
  removeIndex(db, index);
}

export function indexesOf(db: DatabaseSync, name: string): Doc[] {
  const collection = collectionsOf(db).get(name);
  if (!collection) throw serverError(26, `ns does not exist: ${name}`);
  return collection.indexes.map(({ spec }) => ({ ...spec }));
}
