import type { Connection } from 'mongoose';

export interface ServiceDatabase {
  readonly name: string;
  /** Registers the models on a connection to this database. Safe to repeat. */
  readonly models: (connection: Connection) => void;
}
