import type { Parking } from '../consumption/parking';
import type { LogRecord } from '../records';

/** Parking in memory, for specs that have no database. */
export class MemoryParking implements Parking {
  readonly parked: {
    readonly group: string;
    readonly record: LogRecord;
    readonly reason: string;
    readonly aside?: true;
  }[] = [];

  /** How often the group has shared out its partitions. */
  assignments = 0;

  assigned(): void {
    this.assignments += 1;
  }

  parkedKeys(group: string, topic: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const here = this.parked.filter((entry) => entry.group === group && entry.record.topic === topic && !entry.aside);
    return Promise.resolve(new Set(here.map(({ record }) => record.key).filter((key) => keys.includes(key))));
  }

  park(group: string, record: LogRecord, reason: string, aside?: true): Promise<void> {
    this.parked.push({ group, record, reason, ...(aside && { aside }) });
    return Promise.resolve();
  }
}
