import type { SecureContext } from 'node:tls';
import type { Connection } from 'mongoose';

export interface StorageOptions {
  /** The server; then each database is named `databasePrefix` + its name. */
  readonly mongodbUri?: string;
  /** Without it the address decides, and Node's own authorities are trusted. Name and chain are verified either way. */
  readonly tls?: SecureContext;
  /** The folder of the embedded store; each database is a file in it. */
  readonly dataDir?: string;
  readonly databasePrefix?: string;
  /** Embedded: keep other services out of the folder. Tools that work beside a service leave it out. Default: false. */
  readonly lock?: boolean;
  /** Embedded: learns of a failed flush, after which the database of that file fails until the process starts again. */
  readonly onUnusable?: (error: Error) => void;
  /** MongoDB: connections of this process at most. Default: 50. */
  readonly maxPoolSize?: number;
  /** MongoDB: make spans of its commands. Default: false. */
  readonly traced?: boolean;
}

/** Ordinary mongoose connections; writes are acknowledged when they are durable. */
export interface Storage {
  readonly kind: 'embedded' | 'mongodb';
  /** The connection of one database; the same one for the same name. */
  database(name: string): Promise<Connection>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
