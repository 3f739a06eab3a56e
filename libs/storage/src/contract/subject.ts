import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { openStorage } from '../open-storage';
import type { Storage, StorageOptions } from '../storage';

export type Collection = ReturnType<Connection['collection']>;

/** A storage to run a contract on. */
export interface Subject {
  readonly kind: Storage['kind'];
  /** With these the same databases are opened again, here or in another process. Valid while the tests run. */
  readonly options: () => StorageOptions;
}

/** Opens the storage around the tests of a suite; gives out collections of its own to each test. */
export function opened(subject: Subject): {
  storage: () => Storage;
  connection: () => Promise<Connection>;
  collection: () => Promise<Collection>;
} {
  let storage: Storage;
  beforeAll(async () => {
    storage = await openStorage(subject.options());
  });
  afterAll(async () => {
    await (await storage.database('contract')).dropDatabase();
    await storage.close();
  });
  const connection = (): Promise<Connection> => storage.database('contract');
  return {
    storage: () => storage,
    connection,
    collection: async () => (await connection()).collection(`c${randomUUID()}`),
  };
}

/** What an operation was refused with. */
export async function refusal(operation: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await operation;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('the operation was not refused');
}
