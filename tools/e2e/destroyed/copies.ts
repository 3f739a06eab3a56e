import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mongoose';
import { openStorage } from '@opendsr-service/storage';
import type { Kept, Service } from '../service';

/** Everything that anybody may have copied from a service by now. */
export interface Copied {
  /** Files, records, documents and writes to them, by their bytes. */
  readonly items: readonly Kept[];
  /** The documents of the database `keys`, and every write to them that MongoDB still knows. */
  readonly keyDocuments: readonly unknown[];
}

export const together = (...copies: readonly Copied[]): Copied => ({
  items: copies.flatMap(({ items }) => items),
  keyDocuments: copies.flatMap(({ keyDocuments }) => keyDocuments),
});

/** Logs are left out: what they hold is tested by itself. */
export async function copyEverything(service: Service): Promise<Copied> {
  const items: Kept[] = [];
  for await (const kept of service.kept()) if (kept.place !== 'log') items.push(kept);
  const { stores } = service;
  if ('dataDir' in stores) return { items, keyDocuments: await keysOfFiles(stores.dataDir) };
  const keyDocuments = await keysOfServer(stores.mongodbUri, stores.databasePrefix);
  return { items: [...items, ...(await serverFiles(stores.mongodbUri))], keyDocuments };
}

async function keysOfFiles(dataDir: string): Promise<unknown[]> {
  const storage = await openStorage({ dataDir, lock: false });
  try {
    const keys = await storage.database('keys');
    const read = ['dataKeys', 'rootKeys'].map((name) => keys.collection(name).find({}).toArray());
    return (await Promise.all(read)).flat();
  } finally {
    await storage.close();
  }
}

async function keysOfServer(uri: string, prefix: string): Promise<unknown[]> {
  const connection = await createConnection(uri).asPromise();
  try {
    const client = connection.getClient();
    const db = client.db(`${prefix}keys`);
    const read = ['dataKeys', 'rootKeys'].map((name) => db.collection(name).find({}).toArray());
    // Writes of one command may stand in one entry, under the name of another database.
    const oplog = client.db('local').collection('oplog.rs');
    const ours = {
      $or: [{ ns: { $regex: `^${prefix}keys\\.` } }, { 'o.applyOps.ns': { $regex: `^${prefix}keys\\.` } }],
    };
    return (await Promise.all([...read, oplog.find(ours).toArray()])).flat();
  } finally {
    await connection.close();
  }
}

/**
 * The files and the journal of a mongod on this machine that does not compress them, before and after a checkpoint: what was
 * written since the last one is in the journal alone.
 */
async function serverFiles(uri: string): Promise<Kept[]> {
  const connection = await createConnection(uri).asPromise();
  try {
    const admin = connection.getClient().db('admin');
    const { parsed } = await admin.command({ getCmdLineOpts: 1 });
    const { storage } = parsed as { storage?: { dbPath?: string } };
    const folder = storage?.dbPath ?? '';
    const before = await filesIn(folder);
    await admin.command({ fsync: 1 });
    return [...before, ...(await filesIn(folder))];
  } finally {
    await connection.close();
  }
}

async function filesIn(folder: string): Promise<Kept[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }): Promise<Kept> => {
      const file = join(parentPath, name);
      return { place: 'file', where: file.slice(folder.length + 1), bytes: withoutZeros(await readFile(file)) };
    }),
  );
}

/** A journal is as large as it may become from its beginning. */
function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return Buffer.from(bytes.subarray(0, end));
}
