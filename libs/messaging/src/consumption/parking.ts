import type { LogRecord } from '../records';

/** The reason of a record that only follows a parked record of its key. */
export const followsParked = 'follows-parked-record';

/** Parks records that cannot be handled (decision 6), and later records of their keys. Safe to repeat. */
export interface Parking {
  /** The group has shared out its partitions: what another process has parked in them counts from now on. */
  assigned(): void;
  /** The keys that a parked record blocks. Called for each batch, so it must be cheap. */
  parkedKeys(group: string, topic: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores the record durably with the reason code; `aside`: later records of its key continue. */
  park(group: string, record: LogRecord, reason: string, aside?: true): Promise<void>;
}
