import type { LogRecord } from '../records';

/** The reason of a record that is parked only because another record of its key is. */
export const followsParked = 'follows-parked-record';

/**
 * Keeps records that cannot be handled (D6). While a key has a parked record, its later records follow, unless it was
 * parked aside. Both methods are safe to repeat.
 */
export interface Parking {
  /**
   * Those of the keys that a parked record of this group and topic holds back; one parked aside does not. Asked once
   * for each batch, so it must be cheap.
   */
  parkedKeys(group: string, topic: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keeps the record with the reason code, durably; `aside` where later records of its key go on. */
  park(group: string, record: LogRecord, reason: string, aside?: true): Promise<void>;
}
