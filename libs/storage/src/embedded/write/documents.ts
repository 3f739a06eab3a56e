import { preparedStatement } from '../../sqlite/statements';
import type { Doc } from '../bson';
import { encode } from '../bson';
import { badValue, duplicateKeyError, immutableField } from '../errors';
import type { Collection } from '../index/catalog';
import type { Index } from '../index/definition';
import { entryOf, idIndex } from '../index/definition';
import { keyOf } from '../index/key';
import type { Row } from '../index/scan';
import { rowById } from '../index/scan';
import { equals } from '../values';

interface Entry {
  readonly index: Index;
  readonly key: Buffer | undefined;
}

function entriesOf(collection: Collection, doc: Doc): Entry[] {
  return collection.indexes
    .filter(({ table }) => table !== undefined)
    .map((index) => ({ index, key: entryOf(index, doc) }));
}

/** All checks run before the first change, so a refused write needs no undo. */
function refuseDuplicates({ db }: Collection, entries: readonly Entry[], r: number | undefined): void {
  for (const { index, key } of entries) {
    if (!index.spec.unique || !key) continue;
    const holder = preparedStatement(db, `SELECT r FROM i${index.table} WHERE k = ? LIMIT 1`).get(key);
    if (holder && holder['r'] !== r) throw duplicateKeyError(index.spec.name, index.spec.key);
  }
}

/** `_id` must have been set. Throws E11000 before it changes anything. */
export function insertDocument(collection: Collection, doc: Doc, bytes: Uint8Array): void {
  if (Array.isArray(doc['_id']) || doc['_id'] === undefined)
    throw badValue("The '_id' value cannot be an array or undefined");
  const id = keyOf([doc['_id']], [1]);
  const entries = entriesOf(collection, doc);
  if (rowById(collection, id)) throw duplicateKeyError(idIndex.spec.name, idIndex.spec.key);
  refuseDuplicates(collection, entries, undefined);
  const { db } = collection;
  const { lastInsertRowid } = preparedStatement(db, `INSERT INTO c${collection.table} (id, d) VALUES (?, ?)`).run(
    id,
    bytes,
  );
  for (const { index, key } of entries) {
    if (key) preparedStatement(db, `INSERT INTO i${index.table} (k, r) VALUES (?, ?)`).run(key, lastInsertRowid);
  }
}

export interface Before {
  readonly row: Row;
  readonly id: unknown;
  readonly entries: readonly Entry[];
}

export function beforeChange(collection: Collection, row: Row, doc: Doc): Before {
  return { row, id: doc['_id'], entries: entriesOf(collection, doc) };
}

/** Writes the new state of a row and returns its bytes: the same object where nothing changed. */
export function rewriteDocument(collection: Collection, { row, id, entries }: Before, doc: Doc): Uint8Array {
  const { db } = collection;
  if (!equals(doc['_id'], id)) throw immutableField();
  const bytes = encode(doc);
  if (Buffer.compare(bytes, row.d) === 0) return row.d;
  const changed = entriesOf(collection, doc)
    .map(({ index, key }, n) => ({ index, key, old: entries[n]?.key }))
    .filter(({ key, old }) => (key && old ? key.compare(old) !== 0 : key !== old));
  refuseDuplicates(collection, changed, row.r);
  preparedStatement(db, `UPDATE c${collection.table} SET d = ? WHERE r = ?`).run(bytes, row.r);
  for (const { index, key, old } of changed) {
    if (old) preparedStatement(db, `DELETE FROM i${index.table} WHERE k = ? AND r = ?`).run(old, row.r);
    if (key) preparedStatement(db, `INSERT INTO i${index.table} (k, r) VALUES (?, ?)`).run(key, row.r);
  }
  return bytes;
}

export function removeDocument(collection: Collection, r: number, doc: Doc): void {
  const { db } = collection;
  preparedStatement(db, `DELETE FROM c${collection.table} WHERE r = ?`).run(r);
  for (const { index, key } of entriesOf(collection, doc)) {
    if (key) preparedStatement(db, `DELETE FROM i${index.table} WHERE k = ? AND r = ?`).run(key, r);
  }
}
