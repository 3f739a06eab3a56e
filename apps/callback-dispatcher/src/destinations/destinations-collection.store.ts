import { randomUUID } from 'node:crypto';
import type { DeliveryEvent } from '@opendsr-service/contracts';
import { DueSignal } from '@opendsr-service/service';
import { BulkWriter } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection, type Model } from 'mongoose';
import type { Destination } from './destination';

const optional = { required: false } as const;
/** Declares indexes only: the stores use the collection. The destinations of a request share an id prefix. */
const destinationSchema = new Schema<Destination>(
  {
    _id: String,
    ws: String,
    host: { type: String, ...optional },
    postponed: { type: Boolean, ...optional },
    dueAt: { type: Date, ...optional },
    outboxAt: { type: Date, ...optional },
    outboxSince: { type: Date, ...optional },
    undeliveredSince: { type: Date, ...optional },
  },
  { strict: false, versionKey: false, autoIndex: false },
);
// The host allows the index to leave out busy hosts.
destinationSchema.index({ dueAt: 1, host: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
// What waits for one host, for the operator.
destinationSchema.index({ ws: 1, host: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
destinationSchema.index({ host: 1 }, { partialFilterExpression: { postponed: { $exists: true } } });
destinationSchema.index({ outboxAt: 1 }, { partialFilterExpression: { outboxAt: { $exists: true } } });
destinationSchema.index({ outboxSince: 1 }, { partialFilterExpression: { outboxAt: { $exists: true } } });
destinationSchema.index({ undeliveredSince: 1 }, { partialFilterExpression: { undeliveredSince: { $exists: true } } });

export type DestinationFilter = Parameters<Collection<Destination>['updateOne']>[0];
export type DestinationChange = Exclude<Parameters<Collection<Destination>['updateOne']>[1], readonly unknown[]>;

interface Outgoing {
  readonly push: { readonly outbox: { readonly $each: DeliveryEvent[] } };
  readonly set: Pick<Destination, 'outboxAt' | 'outboxBy'>;
  readonly min: Pick<Destination, 'outboxSince'>;
}

/** The collection of destinations (decision 7). Every filter names the workspace. */
export class DestinationsCollection {
  readonly model: Model<Destination>;
  readonly documents: Collection<Destination>;
  /** Concurrent writes share a command (decision 22). */
  readonly writes: BulkWriter<Destination>;
  readonly outboxBy = randomUUID();
  /** Callbacks are due, or will be. */
  readonly due = new DueSignal();
  /** Events wait in an outbox. */
  readonly written = new DueSignal();

  constructor(connection: Connection) {
    this.model = connection.model<Destination>('Destination', destinationSchema, 'destinations');
    this.documents = this.model.collection as unknown as Collection<Destination>;
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
