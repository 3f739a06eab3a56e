import { Schema, type Collection, type Connection, type Model } from 'mongoose';
import type { ParkedRecord } from './parked-record';

/** Declares indexes only: the stores access the collection directly. */
const parkedSchema = new Schema<ParkedRecord>(
  {
    _id: String,
    group: String,
    topic: String,
    key: String,
    sortKey: String,
    aside: Boolean,
    kind: String,
    at: Date,
    redriveAt: { type: Date, required: false },
  },
  { strict: false, versionKey: false, autoIndex: false },
);
parkedSchema.index({ group: 1, topic: 1, aside: 1, key: 1, sortKey: 1 });
parkedSchema.index({ group: 1, aside: 1, at: 1 });
parkedSchema.index({ kind: 1, _id: 1 });
parkedSchema.index({ key: 1, _id: 1 });
parkedSchema.index({ group: 1, redriveAt: 1 }, { partialFilterExpression: { redriveAt: { $exists: true } } });

/** Declares the model on a connection once. */
export const parkedModel = (connection: Connection): Model<ParkedRecord> =>
  connection.models['Parked']
    ? connection.model<ParkedRecord>('Parked')
    : connection.model<ParkedRecord>('Parked', parkedSchema, 'parked');

export const parkedCollection = (connection: Connection): Collection<ParkedRecord> =>
  parkedModel(connection).collection as unknown as Collection<ParkedRecord>;

/** Matches an absent field: no index of the embedded store supports `$exists: false`. */
export const NONE = null as never;
