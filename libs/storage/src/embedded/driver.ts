import mongoose from 'mongoose';
import type { Driver } from '../native-driver';
import { nativeDriver } from '../native-driver';
import type { SqliteFile } from '../sqlite/file';
import { EmbeddedCollection } from './collection';
import { listOf, type List } from './read/list';
import { collectionsOf, removeCollection } from './index/catalog';
import { refuseOthers } from './refuse';

class EmbeddedDatabase {
  constructor(
    private readonly file: SqliteFile,
    readonly databaseName: string,
  ) {}

  collection(name: string): EmbeddedCollection {
    return new EmbeddedCollection(this.file, name);
  }

  /** The first index or document makes it. Its options are for MongoDB. */
  createCollection(name: string): Promise<EmbeddedCollection> {
    return Promise.resolve(this.collection(name));
  }

  listCollections(): List {
    return listOf(() =>
      this.file.read((db) => [...collectionsOf(db).keys()].map((name) => ({ name, type: 'collection' }))),
    );
  }

  async dropDatabase(): Promise<boolean> {
    await this.file.write((db) => collectionsOf(db).forEach(removeCollection));
    return true;
  }
}

class EmbeddedClient {
  constructor(private readonly file: SqliteFile) {}

  db(name: string): EmbeddedDatabase {
    return new EmbeddedDatabase(this.file, name);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

refuseOthers(EmbeddedDatabase.prototype, mongoose.mongo.Db.prototype, 'database');
refuseOthers(EmbeddedClient.prototype, mongoose.mongo.MongoClient.prototype, 'client');

const connected = 1;
const connecting = 2;

/** A mongoose driver on files: `createConnection(name)` opens the file that `open(name)` returns. */
export function embeddedDriver(open: (name: string) => SqliteFile): Driver {
  const native = nativeDriver();

  class EmbeddedConnection extends native.Connection {
    override createClient(name: string): Promise<this> {
      this.readyState = connecting;
      this._connectionString = name;
      const client = new EmbeddedClient(open(name));
      this.client = client;
      this.db = client.db(name);
      this.name = name;
      this.host = 'embedded';
      this.onOpen();
      this.readyState = connected;
      return Promise.resolve(this);
    }
  }

  return { ...native, Connection: EmbeddedConnection };
}
