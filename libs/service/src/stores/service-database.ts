import type { Connection } from 'mongoose';

export interface ServiceDatabase {
  readonly name: string;
  /** Declares the collections and their indexes on a connection to this database. Safe to repeat. */
  readonly models: (connection: Connection) => void;
}
