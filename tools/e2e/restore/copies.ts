import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection } from 'mongoose';
import { databasesOf } from '../kept-documents';
import type { Stores } from '../stores';

/** Every database of the service (docs/backup.md); the keys last, for what an older copy of them lacks is lost. */
export const DATABASES = [
  'gateway',
  'request',
  'callback_dispatcher',
  'results',
  'ingestion',
  'workspaces',
  'keys',
] as const;
export type Database = (typeof DATABASES)[number];

/** Databases as they were at one time. */
export interface Copies {
  /** Puts some of them back in their place, while nothing runs. Embedded, `log` is one of them. */
  putBack(databases: readonly (Database | 'log')[]): Promise<void>;
  remove(): Promise<void>;
}

/** Copies every database of a service that is not running; embedded, the log as well. */
export const copiesOf = (stores: Stores): Promise<Copies> =>
  'dataDir' in stores ? copiesOfFiles(stores.dataDir) : copiesOfServer(stores.mongodbUri, stores.databasePrefix);

async function copiesOfFiles(dataDir: string): Promise<Copies> {
  const copy = await mkdtemp(join(tmpdir(), 'opendsr-copy-'));
  const filesOf = async (folder: string, database: string) =>
    (await readdir(folder)).filter((file) => file.startsWith(database === 'log' ? 'log.db' : `${database}.sqlite`));
  for (const database of [...DATABASES, 'log']) {
    const files = await filesOf(dataDir, database);
    if (files.length === 0) throw new Error(`there are no files of ${database}`);
    for (const file of files) await cp(join(dataDir, file), join(copy, file));
  }
  return {
    putBack: async (databases) => {
      for (const database of databases) {
        for (const file of await filesOf(dataDir, database)) await rm(join(dataDir, file));
        for (const file of await filesOf(copy, database)) await cp(join(copy, file), join(dataDir, file));
      }
    },
    remove: () => rm(copy, { recursive: true }),
  };
}

async function copiesOfServer(uri: string, prefix: string): Promise<Copies> {
  const collections = await withClient(uri, async (client) => {
    const found = [];
    for (const database of await databasesOf(client, prefix)) {
      const db = client.db(database);
      // Raw values: a JavaScript number might come back as another type.
      for (const { name } of await db.listCollections().toArray())
        found.push({
          database,
          name,
          documents: await db.collection(name).find({}, { promoteValues: false }).toArray(),
        });
    }
    return found;
  });
  return {
    putBack: (databases) =>
      withClient(uri, async (client) => {
        for (const database of databases.map((name) => `${prefix}${name}`)) {
          // Emptied, not dropped, because the indexes must stay.
          for (const { name } of await client.db(database).listCollections().toArray())
            await client.db(database).collection(name).deleteMany({});
          for (const { name, documents } of collections.filter((one) => one.database === database))
            if (documents.length > 0) await client.db(database).collection(name).insertMany(documents);
        }
      }),
    remove: () => Promise.resolve(),
  };
}

async function withClient<T>(
  uri: string,
  work: (client: ReturnType<Connection['getClient']>) => Promise<T>,
): Promise<T> {
  const connection = await createConnection(uri).asPromise();
  try {
    return await work(connection.getClient());
  } finally {
    await connection.close();
  }
}
