import type { LogRecord } from '../records';

/** The reason of a record that is parked only because another record of its key is. */
export const followsParked = 'follows-parked-record';

/** Parking of records that cannot be handled (decision 6); later records of the key follow. Safe to repeat. */
export interface Parking {
  /** Those of the keys that a parked record blocks. Called once for each batch, so it must be cheap. */
  parkedKeys(group: string, topic: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keeps the record with the reason code, durably; `aside` where later records of its key go on. */
  park(group: string, record: LogRecord, reason: string, aside?: true): Promise<void>;
}
