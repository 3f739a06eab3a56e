import type { Doc } from '../bson';

/** The part of the driver's cursor that callers use where a result is in memory. */
export interface List {
  toArray(): Promise<readonly Doc[]>;
}

export const listOf = (read: () => readonly Doc[]): List => ({ toArray: async () => Promise.resolve(read()) });
