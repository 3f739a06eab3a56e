import type { DatabaseSync } from 'node:sqlite';
import { preparedStatement } from '../../sqlite/statements';
import { decode, encode } from '../bson';
import type { Index, IndexSpec } from './definition';
import { idIndex, indexFrom } from './definition';

/** A collection on one connection to its file. */
export interface Collection {
  readonly db: DatabaseSync;
  readonly name: string;
  readonly table: number;
  /** `_id` first, then in the order of their creation. */
  readonly indexes: readonly Index[];
}

interface Snapshot {
  readonly version: number;
  readonly collections: ReadonlyMap<string, Collection>;
}

const snapshots = new WeakMap<DatabaseSync, Snapshot>();

/** Creates the two tables of the catalog. Run it once when a file is opened. */
export function prepareCatalog(db: DatabaseSync): void {
  db.exec(`
    CREATE TABLE IF NOT EXISTS collections (n INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS indexes (n INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, spec BLOB NOT NULL);
  `);
}

function load(db: DatabaseSync): ReadonlyMap<string, Collection> {
  const indexes = preparedStatement(
    db,
    `SELECT n, collection, spec, NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'f' || n) filled FROM indexes ORDER BY n`,
  ).all();
  const rows = preparedStatement(db, 'SELECT n, name FROM collections').all();
  return new Map(
    rows.map((row) => {
      const own = indexes.filter((index) => index['collection'] === row['n']);
      const made = own.map((index) =>
        indexFrom(
          decode(index['spec'] as Uint8Array) as unknown as IndexSpec,
          Number(index['n']),
          index['filled'] === 1,
        ),
      );
      return [
        String(row['name']),
        { db, name: String(row['name']), table: Number(row['n']), indexes: [idIndex, ...made] },
      ];
    }),
  );
}

/** Each change of the catalog makes or drops a table, so SQLite's schema version shows when to read it again. */
export function collectionsOf(db: DatabaseSync): ReadonlyMap<string, Collection> {
  const version = Number(preparedStatement(db, 'PRAGMA schema_version').get()?.['schema_version']);
  const known = snapshots.get(db);
  if (known?.version === version) return known.collections;
  const collections = load(db);
  snapshots.set(db, { version, collections });
  return collections;
}

/** Only inside of a write. */
export function makeCollection(db: DatabaseSync, name: string): Collection {
  const existing = collectionsOf(db).get(name);
  if (existing) return existing;
  const table = Number(preparedStatement(db, 'INSERT INTO collections (name) VALUES (?)').run(name).lastInsertRowid);
  // Documents lie in the order of insertion; a random `_id` then touches only its own small index.
  db.exec(`CREATE TABLE c${table} (r INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, d BLOB NOT NULL)`);
  return collectionsOf(db).get(name) as Collection;
}

/**
 * Only inside of a write. The entries are the caller's to fill in. The table `f` is there until `markFilled`, and holds the
 * row below which documents have not been gone through.
 */
export function addIndex({ db, table }: Collection, spec: IndexSpec): Index {
  const { lastInsertRowid } = preparedStatement(db, 'INSERT INTO indexes (collection, spec) VALUES (?, ?)').run(
    table,
    encode({ ...spec }),
  );
  db.exec(`CREATE TABLE i${lastInsertRowid} (k BLOB NOT NULL, r INTEGER NOT NULL, PRIMARY KEY (k, r)) WITHOUT ROWID`);
  db.exec(`CREATE TABLE f${lastInsertRowid} (below INTEGER NOT NULL)`);
  db.exec(`INSERT INTO f${lastInsertRowid} VALUES (${Number.MAX_SAFE_INTEGER})`);
  return indexFrom(spec, Number(lastInsertRowid), false);
}

/** Only inside of a write. */
export function markFilled(db: DatabaseSync, { table }: Index): void {
  db.exec(`DROP TABLE f${table}`);
}

/** Only inside of a write. */
export function removeIndex(db: DatabaseSync, index: Index): void {
  if (index.table === undefined) return;
  preparedStatement(db, 'DELETE FROM indexes WHERE n = ?').run(index.table);
  db.exec(`DROP TABLE i${index.table}; DROP TABLE IF EXISTS f${index.table}`);
}

/** Only inside of a write. */
export function removeCollection(collection: Collection): void {
  const { db } = collection;
  collection.indexes.forEach((index) => removeIndex(db, index));
  preparedStatement(db, 'DELETE FROM collections WHERE n = ?').run(collection.table);
  db.exec(`DROP TABLE c${collection.table}`);
}
