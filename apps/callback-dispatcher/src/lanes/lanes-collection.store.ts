import { randomUUID } from 'node:crypto';
import type { DeliveryEvent } from '@opendsr-service/contracts';
import { Schema, type Collection, type Connection, type Model } from 'mongoose';
import type { Lane } from './lane';

const optional = { required: false } as const;
/** Only its indexes are used: each verb is one operation on the collection itself. Lanes of a request are found by their common start. */
const laneSchema = new Schema<Lane>(
  {
    _id: String,
    ws: String,
    host: { type: String, ...optional },
    postponed: { type: Boolean, ...optional },
    dueAt: { type: Date, ...optional },
    tellAt: { type: Date, ...optional },
    untoldSince: { type: Date, ...optional },
    undeliveredSince: { type: Date, ...optional },
  },
  { strict: false, versionKey: false, autoIndex: false },
);
// The host stands in it so that lanes of hosts that take no more are left out unread, however many are due.
laneSchema.index({ dueAt: 1, host: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
laneSchema.index({ host: 1 }, { partialFilterExpression: { postponed: { $exists: true } } });
laneSchema.index({ tellAt: 1 }, { partialFilterExpression: { tellAt: { $exists: true } } });
laneSchema.index({ untoldSince: 1 }, { partialFilterExpression: { tellAt: { $exists: true } } });
laneSchema.index({ undeliveredSince: 1 }, { partialFilterExpression: { undeliveredSince: { $exists: true } } });

export type LaneFilter = Parameters<Collection<Lane>['updateOne']>[0];
export type LaneChange = Exclude<Parameters<Collection<Lane>['updateOne']>[1], readonly unknown[]>;

/** What a write adds, by operator. */
interface Outgoing {
  readonly push: { readonly outbox: { readonly $each: DeliveryEvent[] } };
  readonly set: Pick<Lane, 'tellAt' | 'teller'>;
  /** What waits already goes on waiting. */
  readonly min: Pick<Lane, 'untoldSince'>;
}

/** The lanes as they are stored (D7). Every filter names the workspace; times come from the caller. */
export class LanesCollection {
  readonly model: Model<Lane>;
  readonly documents: Collection<Lane>;
  /** This process, among those that tell the log what happens on lanes. */
  readonly teller = randomUUID();

  constructor(connection: Connection) {
    this.model = connection.model<Lane>('Lane', laneSchema, 'lanes');
    this.documents = this.model.collection as unknown as Collection<Lane>;
  }

  /** False: no lane is as the filter says. */
  async update(filter: LaneFilter, change: LaneChange): Promise<boolean> {
    const { matchedCount } = await this.documents.updateOne(filter, change);
    return matchedCount === 1;
  }

  /** What a write adds to tell the log of it: with the change itself, so that no crash comes between. */
  outbox(events: readonly DeliveryEvent[], at: Date): Outgoing {
    return {
      push: { outbox: { $each: [...events] } },
      set: { tellAt: at, teller: this.teller },
      min: { untoldSince: at },
    };
  }
}
