import mongoose from 'mongoose';
import type { Connection } from 'mongoose';

type BulkWriteResult = Awaited<ReturnType<Connection['collections'][string]['bulkWrite']>>;

interface DriverConnection extends Omit<Connection, 'readyState' | 'client' | 'db' | 'name' | 'host'> {
  readyState: number;
  client: object;
  db: object;
  name: string;
  host: string;
  _connectionString: string;
  createClient(uri: string): Promise<unknown>;
  onOpen(): void;
}

export interface Driver {
  readonly Connection: new (base: mongoose.Mongoose) => DriverConnection;
  readonly Collection: unknown;
  readonly BulkWriteResult: new (raw: object, ordered: boolean) => BulkWriteResult;
}

/** The driver that mongoose ships with: ours keeps its connections and models, and replaces the MongoDB client below. */
export function nativeDriver(): Driver {
  return (mongoose as unknown as { driver: { get(): Driver } }).driver.get();
}
