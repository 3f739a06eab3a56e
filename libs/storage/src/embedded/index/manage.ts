import type { DatabaseSync } from 'node:sqlite';
import { asError } from '../../sqlite/group';
import { sqliteCode } from '../../sqlite/sqlite-errors';
import { preparedStatement } from '../../sqlite/statements';
import type { Doc } from '../bson';
import { decode } from '../bson';
import { duplicateKeyError, serverError } from '../errors';
import { compare } from '../values';
import type { Collection } from './catalog';
import { addIndex, collectionsOf, makeCollection, markFilled, removeIndex } from './catalog';
import type { Index, IndexSpec } from './definition';
import { entryOf, idIndex, sameSpec } from './definition';
import type { Row } from './scan';

/** About ten milliseconds of decoding and writing, during which nothing else runs. */
const pageBytes = 500_000;
const pageRows = 1_000;

/**
 * Goes through the next documents, from the last row to the first, so that what is inserted meanwhile lies behind. Writes make
 * the entries of what they insert or change. False where no document was left.
 */
function fillPage({ db, table }: Collection, index: Index): boolean {
  const { unique, name, key } = index.spec;
  const holder = preparedStatement(db, `SELECT r FROM i${index.table} WHERE k = ? LIMIT 1`);
  const insert = preparedStatement(db, `INSERT OR IGNORE INTO i${index.table} (k, r) VALUES (?, ?)`);
  const page = preparedStatement(
    db,
    `SELECT r, d FROM c${table} WHERE r < (SELECT below FROM f${index.table}) ORDER BY r DESC LIMIT ${pageRows}`,
  );
  let [bytes, below] = [0, 0];
  for (const { r, d } of page.iterate() as unknown as Iterable<Row>) {
    const entry = entryOf(index, decode(d));
    const held = entry && unique ? holder.get(entry) : undefined;
    if (held && held['r'] !== r) throw duplicateKeyError(name, key);
    if (entry) insert.run(entry, r);
    below = r;
    if ((bytes += d.length) > pageBytes) break;
  }
  if (below > 0) preparedStatement(db, `UPDATE f${index.table} SET below = ?`).run(below);
  return below > 0;
}

/** What an earlier release declared and did not fill has no user: it makes way, unless the caller has begun to fill its own. */
function clearConflicts({ db, indexes }: Collection, wanted: IndexSpec, isBegun: boolean): void {
  const conflicting = indexes.filter(
    ({ spec }) => spec.name === wanted.name || sameSpec({ ...spec, name: wanted.name }, wanted),
  );
  const kept = conflicting.find(({ isFilled }) => isFilled || isBegun);
  if (kept?.spec.name === wanted.name)
    throw serverError(86, `An existing index has the same name as the requested index: ${wanted.name}`);
  if (kept) throw serverError(85, `Index already exists with a different name: ${kept.spec.name}`);
  conflicting.forEach((index) => removeIndex(db, index));
}

/**
 * Creates the index unless it exists, or fills it by a further page of documents. Returns its name once it is whole, and
 * undefined before: call it again then, with `isBegun`. Where it cannot be, as with E11000 where documents collide, it is
 * removed, and the reason returned.
 */
export function createIndex(
  db: DatabaseSync,
  name: string,
  spec: IndexSpec,
  isBegun = false,
): string | Error | undefined {
  const collection = makeCollection(db, name);
  if (compare({ ...spec.key }, { ...idIndex.spec.key }) === 0) return idIndex.spec.name;
  const there = collection.indexes.find((index) => sameSpec(index.spec, spec));
  if (there?.isFilled) return spec.name;
  if (!there) clearConflicts(collection, spec, isBegun);
  const index = there ?? addIndex(collection, spec);
  try {
    if (fillPage(collection, index)) return undefined;
  } catch (error) {
    if (sqliteCode(error) !== undefined) throw error;
    removeIndex(db, index);
    return asError(error);
  }
  markFilled(db, index);
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
  return collection.indexes.filter(({ isFilled }) => isFilled).map(({ spec }) => ({ ...spec }));
}
