import type { Connection } from 'mongoose';
import { HeadStore } from '../evidence/head.store';
import { LeavesStore } from '../evidence/leaves.store';

export class LogMeasures {
  private readonly head: HeadStore;
  private readonly leaves: LeavesStore;

  constructor(connection: Connection) {
    this.head = new HeadStore(connection);
    this.leaves = new LeavesStore(connection);
  }

  /** Since when the oldest leaf waits that no checkpoint covers. */
  async oldestUncovered(): Promise<Date | undefined> {
    return this.leaves.addedAt((await this.head.read())?.size ?? 0);
  }
}
