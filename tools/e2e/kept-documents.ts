import { createConnection, type Connection } from 'mongoose';
import type { Kept } from './service';

/**
 * The bytes of every document in the databases of a prefix, and of every write to them: the replica set's oplog still
 * holds removed and replaced documents.
 */
export async function* keptDocuments(uri: string, prefix: string): AsyncGenerator<Kept> {
  const connection = await createConnection(uri).asPromise();
  try {
    for (const database of await databasesOf(connection.getClient(), prefix)) {
      const db = connection.getClient().db(database);
      for (const { name } of await db.listCollections().toArray()) {
        yield* rawOf(db.collection(name).find({}, { raw: true }), `${database}.${name}`);
      }
    }
    const oplog = connection.getClient().db('local').collection('oplog.rs');
    yield* rawOf(oplog.find({ ns: { $regex: `^${prefix}` } }, { raw: true }), 'oplog');
  } finally {
    await connection.close();
  }
}

/** Leaves nothing of a run behind in a server that other runs share. */
export async function dropDatabases(uri: string, prefix: string): Promise<void> {
  const connection = await createConnection(uri).asPromise();
  try {
    for (const database of await databasesOf(connection.getClient(), prefix))
      await connection.getClient().db(database).dropDatabase();
  } finally {
    await connection.close();
  }
}

/** The databases of a run, by their names. */
export async function databasesOf(client: ReturnType<Connection['getClient']>, prefix: string): Promise<string[]> {
  const found = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return found.databases.map(({ name }) => name).filter((name) => name.startsWith(prefix));
}

async function* rawOf(cursor: AsyncIterable<unknown>, where: string): AsyncGenerator<Kept> {
  for await (const document of cursor) yield { place: 'document', where, bytes: document as Buffer };
}
