import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS, type EncodedMessage } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { readSettings, storeSettings } from '@opendsr-service/config';
import { openStores, type OpenStores } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { Command } from '../command';
import { databases } from '../db/databases';
import { say } from './say';

const openAsService = (dataDir: string): Promise<OpenStores> =>
  openStores(readSettings(storeSettings, { DATA_DIR: dataDir }), 'test');

/** Does something to embedded stores as a service has them, which no tool can lock meanwhile. */
export async function withServiceStores<T>(dataDir: string, work: (stores: OpenStores) => Promise<T>): Promise<T> {
  const stores = await openAsService(dataDir);
  try {
    return await work(stores);
  } finally {
    for (const { run } of stores.closing) await run();
  }
}

/** The embedded stores of a service that runs: held by its lock, and with all of its indexes. */
export class Stores {
  private constructor(
    readonly dataDir: string,
    private readonly stores: OpenStores,
  ) {}

  static async open(): Promise<Stores> {
    const dataDir = mkdtempSync(join(tmpdir(), 'cli-'));
    const stores = await openAsService(dataDir);
    for (const database of await databases()) {
      const connection = await stores.storage.database(database.name);
      database.models(connection);
      await ensureIndexes(connection);
    }
    return new Stores(dataDir, stores);
  }

  database(name: string): Promise<Connection> {
    return this.stores.storage.database(name);
  }

  async applyTopics(): Promise<void> {
    await this.stores.events.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
  }

  publish(topic: string, ...records: EncodedMessage[]): Promise<void> {
    return this.stores.events.publisher.publish(topic, records);
  }

  /** What a topic holds. */
  async records(topic: string): Promise<LogRecord[]> {
    const found: LogRecord[] = [];
    await this.stores.events.read(topic, {}, (records) => (found.push(...records), Promise.resolve()));
    return found;
  }

  /** Removes what these collections hold, in every database. */
  async empty(...collections: string[]): Promise<void> {
    for (const { name } of await databases()) {
      const connection = await this.database(name);
      for (const collection of collections) await connection.collection(collection).deleteMany({});
    }
  }

  say(commands: readonly Command[], line: string) {
    return say(line, { commands, env: { DATA_DIR: this.dataDir } });
  }

  /** What operators did, without the ids of the entries. */
  async audit(): Promise<object[]> {
    const entries = await (
      await this.database('gateway')
    )
      .collection('audit')
      .find({}, { projection: { _id: 0 } })
      .toArray();
    return entries;
  }

  async close(): Promise<void> {
    for (const { run } of this.stores.closing) await run();
    rmSync(this.dataDir, { recursive: true });
  }
}
