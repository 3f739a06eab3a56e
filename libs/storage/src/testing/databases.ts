import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { openStorage } from '../open-storage';
import type { Storage } from '../storage';

/** One database for a contract suite, which may open it as often as there are processes that share it. */
export interface TestDatabase {
  readonly open: () => Promise<Connection>;
  /** Closes all that was opened, and removes the data. */
  readonly close: () => Promise<void>;
}

/** Of that name in a folder of its own, `dataDir`. */
export function embeddedDatabase(name: string): TestDatabase & { readonly dataDir: string } {
  const dataDir = mkdtempSync(join(tmpdir(), `${name}-`));
  const { open, closeAll } = opening(() => openStorage({ dataDir }), name);
  return {
    dataDir,
    open,
    close: async () => {
      await closeAll();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** With a name that begins so, on the MongoDB of the test run. */
export function mongodbDatabase(name: string): TestDatabase {
  const mongodbUri = uriOfRun();
  const { open, closeAll } = opening(() => openStorage({ mongodbUri }), `${name}-${randomUUID()}`);
  return {
    open,
    close: async () => {
      await (await open()).dropDatabase();
      await closeAll();
    },
  };
}

/** For a contract suite that names its databases itself, in a folder of its own; closing it removes the data. */
export async function embeddedStorage(): Promise<Storage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'storage-'));
  const storage = await openStorage({ dataDir });
  const close = async () => {
    await storage.close();
    rmSync(dataDir, { recursive: true });
  };
  return { ...storage, close };
}

/** The same on the MongoDB of the test run. */
export async function mongodbStorage(): Promise<Storage> {
  const options = mongodbOptions('st');
  const storage = await openStorage(options);
  const close = async () => {
    await dropDatabases(options.databasePrefix);
    await storage.close();
  };
  return { ...storage, close };
}

/** Of databases of their own on the MongoDB of the test run, for a suite that opens them itself: `dropDatabases` removes them. */
export const mongodbOptions = (name: string) => ({
  mongodbUri: uriOfRun(),
  databasePrefix: `${name}_${randomUUID().slice(0, 8)}_`,
});

/** Of the MongoDB of the test run, those whose names begin so. */
export async function dropDatabases(prefix: string): Promise<void> {
  const storage = await openStorage({ mongodbUri: uriOfRun() });
  const client = (await storage.database('any')).getClient();
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(prefix)) await client.db(name).dropDatabase();
  await storage.close();
}

function uriOfRun(): string {
  const mongodbUri = process.env.DSR_TEST_MONGODB_URI;
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
  return mongodbUri;
}

function opening(openOne: () => Promise<Storage>, name: string) {
  const opened: Storage[] = [];
  return {
    open: async () => {
      const storage = await openOne();
      opened.push(storage);
      return storage.database(name);
    },
    closeAll: async () => {
      for (const storage of opened) await storage.close();
    },
  };
}
