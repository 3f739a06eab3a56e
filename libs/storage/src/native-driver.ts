import mongoose from 'mongoose';
import type { Connection } from 'mongoose';

type BulkWriteResult = Awaited<ReturnType<Connection['collections'][string]['bulkWrite']>>;

/** The inside of a mongoose connection that a driver of its own fills in. */
export interface DriverConnection extends Omit<Connection, 'readyState' | 'client' | 'db' | 'name' | 'host'> {
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

/** The driver that mongoose ships with: ours keeps its models, queues and queries, and takes the place of the MongoDB client below. */
export function nativeDriver(): Driver {
  return (mongoose as unknown as { driver: { get(): Driver } }).driver.get();
}
