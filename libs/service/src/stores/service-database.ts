import type { Connection } from 'mongoose';

/** A database of the service, for tools: its name, and the models that declare its indexes. */
export interface ServiceDatabase {
  readonly name: string;
  /** Registers the models on a connection to this database; registering them again changes nothing. */
  readonly models: (connection: Connection) => void;
}
