import type { Connection } from 'mongoose';
import { CheckpointStore } from '../evidence/checkpoint.store';
import { LeavesStore } from '../evidence/leaves.store';

export class LogMeasures {
  private readonly head: CheckpointStore;
  private readonly leaves: LeavesStore;

  constructor(connection: Connection) {
    this.head = new CheckpointStore(connection);
    this.leaves = new LeavesStore(connection);
  }

  /** Since when the oldest leaf waits that no checkpoint covers. */
  async oldestUncovered(): Promise<Date | undefined> {
    return this.leaves.addedAt((await this.head.read())?.size ?? 0);
  }
}
