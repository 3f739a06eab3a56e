import { randomUUID } from 'node:crypto';
import type { DeliveryEvent } from '@opendsr-service/contracts';
import { Schema, type Collection, type Connection, type Model } from 'mongoose';
import type { Destination } from './destination';

const optional = { required: false } as const;
/** Only its indexes are used: each verb is one operation on the collection itself. Destinations of a request are found by their common start. */
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
// The host stands in it so that destinations of hosts that take no more are left out unread, however many are due.
destinationSchema.index({ dueAt: 1, host: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
destinationSchema.index({ host: 1 }, { partialFilterExpression: { postponed: { $exists: true } } });
destinationSchema.index({ outboxAt: 1 }, { partialFilterExpression: { outboxAt: { $exists: true } } });
destinationSchema.index({ outboxSince: 1 }, { partialFilterExpression: { outboxAt: { $exists: true } } });
destinationSchema.index({ undeliveredSince: 1 }, { partialFilterExpression: { undeliveredSince: { $exists: true } } });

export type DestinationFilter = Parameters<Collection<Destination>['updateOne']>[0];
export type DestinationChange = Exclude<Parameters<Collection<Destination>['updateOne']>[1], readonly unknown[]>;

/** What a write adds, by operator. */
interface Outgoing {
  readonly push: { readonly outbox: { readonly $each: DeliveryEvent[] } };
  readonly set: Pick<Destination, 'outboxAt' | 'outboxBy'>;
  /** What waits already goes on waiting. */
  readonly min: Pick<Destination, 'outboxSince'>;
}

/** The destinations as they are stored (D7). Every filter names the workspace; times come from the caller. */
export class DestinationsCollection {
  readonly model: Model<Destination>;
  readonly documents: Collection<Destination>;
  /** This process, among those that tell the log what happens on destinations. */
  readonly outboxBy = randomUUID();

  constructor(connection: Connection) {
    this.model = connection.model<Destination>('Destination', destinationSchema, 'destinations');
    this.documents = this.model.collection as unknown as Collection<Destination>;
  }

  /** False: no destination is as the filter says. */
  async update(filter: DestinationFilter, change: DestinationChange): Promise<boolean> {
    const { matchedCount } = await this.documents.updateOne(filter, change);
    return matchedCount === 1;
  }

  /** What a write adds to tell the log of it: with the change itself, so that no crash comes between. */
  outbox(events: readonly DeliveryEvent[], at: Date): Outgoing {
    return {
      push: { outbox: { $each: [...events] } },
      set: { outboxAt: at, outboxBy: this.outboxBy },
      min: { outboxSince: at },
    };
  }
}
