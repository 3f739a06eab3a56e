import type { Connection } from 'mongoose';
import { duplicateKey, isStorageUnavailable } from './errors';
import { compareIndexShapes, indexShape, type IndexDifference, type IndexShape } from './index-differences';

/**
 * Most ids are random, so each new document changes a page of its own in their index. The smaller a page is, the less a
 * checkpoint of MongoDB writes (decision 22). It counts for collections that are made with it.
 */
const SMALL_INDEX_PAGES = {
  indexOptionDefaults: { storageEngine: { wiredTiger: { configString: 'leaf_page_max=4KB' } } },
};

/**
 * Creates all collections and indexes that the models declare; optional indexes only with `optional`. Run it before an
 * app listens: `autoIndex` is off.
 */
export async function ensureIndexes(connection: Connection, { optional = false } = {}): Promise<void> {
  const there = await collectionsOn(connection);
  await Promise.all(
    [...declaredOn(connection)].map(async ([name, declared]) => {
      if (!there.has(name)) await createCollection(connection, name);
      const shapes = declared.filter(({ isOptional }) => optional || !isOptional);
      if (shapes.length > 0)
        await connection
          .collection(name)
          .createIndexes(
            shapes.map(({ name, key, options }) => ({ ...options, name, key: key as Record<string, 1 | -1> })),
          );
    }),
  );
}

async function createCollection(connection: Connection, name: string): Promise<void> {
  try {
    await connection.db?.createCollection(name, SMALL_INDEX_PAGES);
  } catch (error) {
    // Another process made it at the same time, or the server does not know the option: its first index makes it then.
    if (isStorageUnavailable(error)) throw error;
  }
}

/** How the indexes differ from those that the models declare. Checks every collection and changes nothing. */
export async function compareIndexes(connection: Connection): Promise<readonly IndexDifference[]> {
  const declared = declaredOn(connection);
  const there = await collectionsOn(connection);
  const names = [...new Set([...declared.keys(), ...there])].sort();
  const differences: IndexDifference[] = [];
  for (const name of names)
    differences.push(
      ...compareIndexShapes(name, declared.get(name) ?? [], there.has(name) ? await presentOn(connection, name) : []),
    );
  return differences;
}

export interface IndexCreation {
  readonly collection: string;
  readonly index: string;
  /** Of no document; undefined where it was made. */
  readonly refused?: string;
}

/** Creates the missing indexes. One that existing documents violate is reported, and the others are created. */
export async function createMissingIndexes(connection: Connection): Promise<readonly IndexCreation[]> {
  const declared = declaredOn(connection);
  const missing = (await compareIndexes(connection)).filter(({ kind }) => kind === 'missing');
  const made: IndexCreation[] = [];
  for (const { collection, index } of missing) {
    const shape = declared.get(collection)?.find(({ name }) => name === index);
    if (shape) made.push({ collection, index, ...(await createOne(connection, collection, shape)) });
  }
  return made;
}

async function createOne(
  connection: Connection,
  collection: string,
  { name, key, options }: IndexShape,
): Promise<{ refused?: string }> {
  try {
    await connection.collection(collection).createIndex(key as Record<string, 1 | -1>, { ...options, name });
    return {};
  } catch (error) {
    // The store's message shows what the documents have in common.
    if (duplicateKey(error)) return { refused: 'documents of the collection are alike in what it says is unique' };
    throw error;
  }
}

function declaredOn(connection: Connection): ReadonlyMap<string, readonly IndexShape[]> {
  return new Map(
    Object.values(connection.models).map((model) => [
      model.collection.name,
      model.schema.indexes().map(([key, options]) => indexShape(key, { ...options })),
    ]),
  );
}

async function collectionsOn(connection: Connection): Promise<ReadonlySet<string>> {
  const found = await connection.db?.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return new Set((found ?? []).map(({ name }) => name).filter((name) => !name.startsWith('system.')));
}

async function presentOn(connection: Connection, collection: string): Promise<readonly IndexShape[]> {
  const found = await connection.collection(collection).listIndexes().toArray();
  return found
    .map(({ key, ...options }: { readonly key: Readonly<Record<string, unknown>> }) => indexShape(key, options))
    .filter(({ name }) => name !== '_id_');
}
