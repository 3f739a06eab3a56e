import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { createConnection, type Connection } from 'mongoose';
import { databasesOf } from './kept-documents';
import type { Stores } from './stores';

const SANDBOX = 'sandbox';

/** Copies every database of a service that is not running, but not the log. What it answers puts the copy back in their place. */
export const copyOf = (stores: Stores): Promise<() => Promise<void>> => ('dataDir' in stores ? copyOfFiles(stores.dataDir) : copyOfDatabases(stores.mongodbUri, stores.databasePrefix));

async function copyOfFiles(dataDir: string): Promise<() => Promise<void>> {
  const copy = await mkdtemp(join(tmpdir(), 'opendsr-copy-'));
  const databases = async () => (await readdir(dataDir)).filter((file) => file.includes('.db') && !file.startsWith('log.db'));
  for (const file of await databases()) await cp(join(dataDir, file), join(copy, file));
  return async () => {
    for (const file of await databases()) await rm(join(dataDir, file));
    await cp(copy, dataDir, { recursive: true });
    await rm(copy, { recursive: true });
  };
}

async function copyOfDatabases(uri: string, prefix: string): Promise<() => Promise<void>> {
  const collections = await withClient(uri, async (client) => {
    const found = [];
    for (const database of await databasesOf(client, prefix)) {
      for (const { name } of await client.db(database).listCollections().toArray()) found.push({ database, name, documents: await client.db(database).collection(name).find().toArray() });
    }
    return found;
  });
  return () =>
    withClient(uri, async (client) => {
      // Emptied, not dropped: the indexes are not what is put back.
      for (const database of await databasesOf(client, prefix)) {
        for (const { name } of await client.db(database).listCollections().toArray()) await client.db(database).collection(name).deleteMany({});
      }
      for (const { database, name, documents } of collections) if (documents.length > 0) await client.db(database).collection(name).insertMany(documents);
    });
}

async function withClient<T>(uri: string, work: (client: ReturnType<Connection['getClient']>) => Promise<T>): Promise<T> {
  const connection = await createConnection(uri).asPromise();
  try {
    return await work(connection.getClient());
  } finally {
    await connection.close();
  }
}

export interface Held {
  /** What is there, in words. */
  readonly found: string[];
  /** The same look a second time, with the keys that the first one saw. */
  again(): Promise<Held>;
}

interface Kids {
  readonly subject?: string;
  readonly archive?: string;
  readonly request?: string;
}

/** What the databases hold of a person and of a request about him: documents by what they belong to, keys by what they sealed. */
export async function heldOf(stores: Stores, of: { readonly mpid: string; readonly srid: string }, known: Kids = {}): Promise<Held> {
  const storage = await openStorage('dataDir' in stores ? { ...stores, lock: false } : stores);
  try {
    const { found, kids } = await look(storage, of, known);
    return { found, again: () => heldOf(stores, of, kids) };
  } finally {
    await storage.close();
  }
}

async function look(storage: Storage, { mpid, srid }: { mpid: string; srid: string }, known: Kids) {
  const [ingestion, results, gateway, keys] = await Promise.all(['ingestion', 'results', 'gateway', 'keys'].map((name) => storage.database(name)));
  const one = async (database: typeof ingestion, collection: string, filter: object) => (await database?.collection(collection).findOne(filter)) as Record<string, unknown> | null | undefined;
  const profile = await one(ingestion, 'profiles', { _id: `${SANDBOX}:${mpid}`, ws: SANDBOX });
  const archive = await one(results, 'archives', { _id: `${SANDBOX}:${srid}`, ws: SANDBOX, kid: { $exists: true } });
  const request = await one(gateway, 'requests', { _id: `${SANDBOX}:${srid}`, ws: SANDBOX, sealed: { $exists: true } });
  const kids: Kids = { subject: textOf(profile?.kid), archive: textOf(archive?.kid), request: textOf(request?.kid), ...known };
  const parts: [string, unknown][] = [
    ['profile', profile],
    ['identities', await one(ingestion, 'identities', { ws: SANDBOX, mpid })],
    ['batches', await one(ingestion, 'batches', { ws: SANDBOX, mpid })],
    ['archive', archive],
    ['chunks', await one(results, 'chunks', { ws: SANDBOX, srid })],
    ['request', request],
  ];
  for (const [what, kid] of Object.entries(kids) as [string, string | undefined][]) if (kid !== undefined) parts.push([`${what} key`, await one(keys, 'dataKeys', { _id: kid, ws: SANDBOX })]);
  return { kids, found: parts.filter(([, document]) => document).map(([what]) => what) };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
