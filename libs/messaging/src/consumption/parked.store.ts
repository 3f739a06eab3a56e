import { Schema } from 'mongoose';
import type { Connection, Model } from 'mongoose';
import type { LogRecord } from '../records';
import type { Parking } from './parking';

interface Parked {
  readonly _id: string;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  /** Headers as pairs: a foreign name may hold dots, which mean something to MongoDB. */
  readonly record: { readonly value: Buffer; readonly headers: readonly (readonly [string, string])[]; readonly timestampMs: number };
  readonly reason: string;
  /** Absent where the record holds back its key. */
  readonly aside?: true;
  readonly at: Date;
}

const text = { type: String, required: true } as const;
const recordSchema = new Schema<Parked['record']>({ value: Buffer, headers: [[String]], timestampMs: Number }, { _id: false });
const parkedSchema = new Schema<Parked>(
  {
    _id: text,
    group: text,
    topic: text,
    partition: { type: Number, required: true },
    offset: text,
    // A foreign record may come without key, and mongoose takes '' for missing.
    key: { type: String, default: '' },
    record: { type: recordSchema, required: true },
    reason: text,
    aside: Boolean,
    at: { type: Date, required: true },
  },
  { collection: 'parked', versionKey: false, minimize: false, autoIndex: false },
);
parkedSchema.index({ group: 1, topic: 1, aside: 1, key: 1 });

/**
 * The `parked` collection of a service. It registers its model on the connection, so its index is made with the service's others.
 * Records hold what was published: sealed data at most (D4).
 */
export class ParkedStore implements Parking {
  private readonly parked: Model<Parked>;

  constructor(
    connection: Connection,
    private readonly now: () => number = Date.now,
  ) {
    const known = connection.models['Parked'] as Model<Parked> | undefined;
    this.parked = known ?? connection.model<Parked>('Parked', parkedSchema);
  }

  async parkedKeys(group: string, topic: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const holding = { group, topic, aside: null };
    // Nothing holds back a key nearly always, and then the batch pays for one look at the index, however much lies aside.
    if (!(await this.parked.exists(holding))) return new Set();
    const found = await this.parked.find({ ...holding, key: { $in: keys } }, { key: 1 }).lean();
    return new Set(found.map(({ key }) => key));
  }

  async park(group: string, record: LogRecord, reason: string, aside?: true): Promise<void> {
    const { topic, partition, offset, key, value, headers, timestampMs } = record;
    const _id = `${group}|${topic}|${partition}|${offset}`;
    const kept = { value, headers: Object.entries(headers), timestampMs };
    const parked = { group, topic, partition, offset, key, record: kept, reason, ...(aside && { aside }), at: new Date(this.now()) };
    // A record that comes again, because the commit after it was lost, stays parked as it is.
    await this.parked.updateOne({ _id }, { $setOnInsert: parked }, { upsert: true });
  }
}
