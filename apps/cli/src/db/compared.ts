import type { ServiceDatabase } from '@opendsr-service/service';
import {
  compareIndexes,
  createMissingIndexes,
  type IndexDifference,
  type IndexCreation,
  type Storage,
} from '@opendsr-service/storage';

/** The state of a database and what was created. */
export interface DatabaseState {
  readonly database: string;
  readonly made: readonly IndexCreation[];
  readonly differences: readonly IndexDifference[];
}

interface Comparing {
  readonly databases: readonly ServiceDatabase[];
  /** Creates the missing ones first. */
  readonly apply: boolean;
}

/** Compares the indexes of these databases. */
export async function compared(storage: Storage, { databases, apply }: Comparing): Promise<readonly DatabaseState[]> {
  const states: DatabaseState[] = [];
  for (const database of databases) states.push(await stateOf(storage, database, apply));
  return states;
}

async function stateOf(storage: Storage, { name, models }: ServiceDatabase, apply: boolean): Promise<DatabaseState> {
  const connection = await storage.database(name);
  models(connection);
  const made = apply ? await createMissingIndexes(connection) : [];
  return { database: name, made, differences: await compareIndexes(connection) };
}

export const DIFFERENCE_WORDS: Readonly<Record<IndexDifference['kind'], string>> = {
  missing: 'is missing',
  different: 'differs',
  undeclared: 'is not used by any service of this version',
};

export const differenceLines = ({ database, differences }: DatabaseState): string[] =>
  differences.map(
    ({ collection, index, kind, detail }) =>
      `${database}: index ${index} of ${collection} ${DIFFERENCE_WORDS[kind]}: it ${detail}`,
  );
