import { randomUUID } from 'node:crypto';
import type { DeliveryEvent } from '@opendsr-service/contracts';
import { DueSignal } from '@opendsr-service/service';
import { BulkWriter, declareCollection, type DeclaredIndex } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { Destination } from './destination';

/** The destinations of a request share an id prefix. */
const INDEXES: readonly DeclaredIndex[] = [
  // The host allows the index to leave out busy hosts.
  { fields: { dueAt: 1, host: 1 }, where: 'dueAt' },
  // What waits for one host, for the operator.
  { fields: { ws: 1, host: 1, dueAt: 1 }, where: 'dueAt' },
  { fields: { host: 1 }, where: 'postponed' },
  { fields: { outboxAt: 1 }, where: 'outboxAt' },
  { fields: { outboxSince: 1 }, where: 'outboxAt' },
  { fields: { undeliveredSince: 1 }, where: 'undeliveredSince' },
];

export type DestinationFilter = Parameters<Collection<Destination>['updateOne']>[0];
export type DestinationChange = Exclude<Parameters<Collection<Destination>['updateOne']>[1], readonly unknown[]>;

interface Outgoing {
  readonly push: { readonly outbox: { readonly $each: DeliveryEvent[] } };
  readonly set: Pick<Destination, 'outboxAt' | 'outboxBy'>;
  readonly min: Pick<Destination, 'outboxSince'>;
}

/** The collection of destinations (decision 7). Every filter names the workspace. */
export class DestinationsCollection {
  readonly documents: Collection<Destination>;
  /** Concurrent writes share a command (decision 22). */
  readonly writes: BulkWriter<Destination>;
  readonly outboxBy = randomUUID();
  /** Callbacks are due, or will be. */
  readonly due = new DueSignal();
  /** Events wait in an outbox. */
  readonly written = new DueSignal();

  constructor(connection: Connection) {
    this.documents = declareCollection(connection, 'destinations', INDEXES);
    this.writes = new BulkWriter(this.documents);
  }

  async update(filter: DestinationFilter, change: DestinationChange): Promise<boolean> {
    const { matchedCount } = await this.documents.updateOne(filter, change);
    return matchedCount === 1;
  }

  /** Adds events to the outbox in the same write as the change that they report. */
  outbox(events: readonly DeliveryEvent[], at: Date): Outgoing {
    return {
      push: { outbox: { $each: [...events] } },
      set: { outboxAt: at, outboxBy: this.outboxBy },
      min: { outboxSince: at },
    };
  }
}
