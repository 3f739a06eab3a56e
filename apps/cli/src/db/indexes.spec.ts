import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { embeddedStorage } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { databases } from './databases';

interface Index {
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
}

/** By the names of a database and of a collection. */
type Indexes = Readonly<Record<string, readonly Index[]>>;

/** What docs/compatibility.md, "Documents", is held by. A change of it says what an upgrade meets there. */
const recorded = JSON.parse(readFileSync(join(__dirname, 'golden/indexes.json'), 'utf8')) as Indexes;

async function onEach(storage: Storage, work: (connection: Connection, database: string) => Promise<void>) {
  for (const { name, models } of await databases()) {
    const connection = await storage.database(name);
    models(connection);
    await work(connection, name);
  }
}

async function madeIn(storage: Storage): Promise<Indexes> {
  const made: Record<string, Index[]> = {};
  await onEach(storage, async (connection, database) => {
    await ensureIndexes(connection, { optional: true });
    for (const { name } of (await connection.db?.listCollections().toArray()) ?? []) {
      const all = (await connection.collection(name).listIndexes().toArray()) as (Index & { readonly v: number })[];
      const declared = all.map(({ v: _v, ...index }) => index).filter((index) => index.name !== '_id_');
      if (declared.length > 0) made[`${database}.${name}`] = declared;
    }
  });
  return made;
}

describe('the indexes of an earlier version', () => {
  let storage: Storage;
  beforeEach(async () => void (storage = await embeddedStorage()));
  afterEach(() => storage.close());

  // One that changes under its name, or changes its name alone, is refused by the store, and no service starts.
  it('are no obstacle to the start of this one', async () => {
    await onEach(storage, async (connection, database) => {
      for (const [place, indexes] of Object.entries(recorded))
        for (const { key, ...options } of place.startsWith(`${database}.`) ? indexes : [])
          await connection.collection(place.slice(database.length + 1)).createIndex(key, options);
    });
    await expect(madeIn(storage)).resolves.toEqual(expect.anything());
  });

  // Databases keep one that is gone: it slows writes, and where it is unique it refuses them, until somebody drops it.
  it('are those of this one (golden/indexes.json)', async () => {
    expect(await madeIn(storage)).toEqual(recorded);
  });
});
