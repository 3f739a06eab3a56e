import type { Connection } from 'mongoose';
import { eachInOrder } from '../consumption/each-in-order';
import { ParkedStore } from '../consumption/parked.store';
import { silentLogger } from '../consumption/silent-logger';
import { RedriveStore } from '../consumption/redrive.store';
import { RedriveWorker } from '../consumption/redrive.worker';
import { settleBatch, type BatchHandling, type Settlement } from '../consumption/settle-batch';
import type { LogRecord, Verdict } from '../records';
import { ServerAway } from './listener';

export interface ReplicaParts {
  readonly connection: Connection;
  readonly group: string;
  readonly now: () => number;
  readonly answer: (record: LogRecord) => Promise<Verdict>;
}

/** One process of a service, as far as records are handled and parked: its consumer, fed by hand, and its redrive. */
export class Replica {
  readonly parking: ParkedStore;
  readonly redrives: RedriveStore;
  readonly worker: RedriveWorker;
  private readonly rules: BatchHandling;

  constructor({ connection, group, now, answer }: ReplicaParts) {
    this.parking = new ParkedStore(connection, now);
    this.redrives = new RedriveStore(connection, now);
    const handle = (records: readonly LogRecord[]) => eachInOrder(records, answer);
    this.rules = {
      group,
      handle,
      parking: this.parking,
      isInfrastructureError: (error) => error instanceof ServerAway,
      logger: silentLogger,
    };
    this.worker = new RedriveWorker(this.rules, this.redrives);
  }

  consume(...records: LogRecord[]): Promise<Settlement> {
    return settleBatch(records, this.rules);
  }

  /** Works until nothing is marked any more that may be handled now. */
  async redrive(): Promise<void> {
    while ((await this.worker.runOnce()) > 0);
  }
}
