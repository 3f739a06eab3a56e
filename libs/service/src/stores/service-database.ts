import type { Connection } from 'mongoose';

export interface ServiceDatabase {
  readonly name: string;
  /** Registers the models on a connection to this database; registering them again changes nothing. */
  readonly models: (connection: Connection) => void;
}
