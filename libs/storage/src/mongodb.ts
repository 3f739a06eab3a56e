import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { traceCommands } from './command-spans';
import { mongodbFault } from './mongodb-fault';
import { lookSeldom, poolOf } from './pool-checks';
import type { Storage, StorageOptions } from './storage';

/** One pool for all databases. A write is acknowledged when a majority has it in its journal, or fails after 10 s. */
export async function openMongodb(
  uri: string,
  { databasePrefix = 'opendsr_', maxPoolSize = 50, tls, traced = false }: StorageOptions,
): Promise<Storage> {
  const own = new mongoose.Mongoose();
  own.set('autoIndex', false).set('autoCreate', false).set('bufferCommands', false);
  const connection = await own
    .createConnection(uri, {
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      retryWrites: true,
      retryReads: true,
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      serverSelectionTimeoutMS: 5_000,
      connectTimeoutMS: 5_000,
      waitQueueTimeoutMS: 10_000,
      socketTimeoutMS: 30_000,
      monitorCommands: traced,
      maxPoolSize,
      // Explicit, because the environment can change Node's default.
      rejectUnauthorized: true,
      ...(tls && { tls: true, secureContext: tls }),
    })
    .asPromise()
    .catch((error: unknown) => {
      throw mongodbFault(error) ?? error;
    });
  lookSeldom(poolOf(connection.getClient()));
  if (traced) traceCommands(connection.getClient());
  const databases = new Map<string, Connection>();
  return {
    kind: 'mongodb',
    database: (name) => {
      const database = databases.get(name) ?? connection.useDb(databasePrefix + name, { useCache: true });
      databases.set(name, database);
      return Promise.resolve(database);
    },
    ping: async () => {
      await connection.db?.admin().ping();
    },
    close: () => connection.close(),
  };
}
