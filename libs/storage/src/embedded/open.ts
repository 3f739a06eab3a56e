import { join } from 'node:path';
import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { lockDirectory } from '../lock';
import { SqliteFile } from '../sqlite/file';
import type { Storage, StorageOptions } from '../storage';
import { embeddedDriver } from './driver';
import { prepareCatalog } from './index/catalog';

/** A separate mongoose, so that the global one keeps its driver. */
function embeddedMongoose(files: ReadonlyMap<string, SqliteFile>): mongoose.Mongoose {
  const own = new mongoose.Mongoose();
  own.setDriver(embeddedDriver((name) => files.get(name) as SqliteFile));
  return own.set('autoIndex', false).set('autoCreate', false).set('bufferCommands', false);
}

export function openEmbedded(dataDir: string, { lock = false, onUnusable }: StorageOptions): Storage {
  const held = lock ? lockDirectory(dataDir) : undefined;
  const files = new Map<string, SqliteFile>();
  const connections = new Map<string, Promise<Connection>>();
  const own = embeddedMongoose(files);

  const connect = async (name: string): Promise<Connection> => {
    if (!/^[a-z0-9_-]+$/i.test(name)) throw new Error(`'${name}' is no name for a database`);
    const file = SqliteFile.open(join(dataDir, `${name}.sqlite`), onUnusable && { onUnusable });
    files.set(name, file);
    try {
      await file.write(prepareCatalog);
      return await own.createConnection(name).asPromise();
    } catch (error) {
      files.delete(name);
      await file.close();
      throw error;
    }
  };

  /** One that failed is forgotten, so that the next call opens the file again. */
  const connectOnce = (name: string): Promise<Connection> => {
    const connection = connect(name);
    connections.set(name, connection);
    connection.catch(() => connections.delete(name));
    return connection;
  };

  return {
    kind: 'embedded',
    database: (name) => connections.get(name) ?? connectOnce(name),
    ping: async () => {
      for (const file of files.values()) await file.ping();
    },
    close: async () => {
      const opened = await Promise.allSettled(connections.values());
      try {
        await Promise.all(opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
      } finally {
        held?.release();
      }
    },
  };
}
