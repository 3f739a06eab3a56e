import { Schema, type Connection, type Model } from 'mongoose';
import type { AggregateDocument } from './aggregate.document';

/** Declares indexes only: the stores read and write the collection directly. */
const aggregateSchema = new Schema<AggregateDocument>(
  { _id: String, ws: String, outboxAt: { type: Date, required: false }, outboxSince: { type: Date, required: false } },
  { strict: false, versionKey: false },
);
aggregateSchema.index({ outboxAt: 1 }, { partialFilterExpression: { outboxAt: { $exists: true } } });
aggregateSchema.index({ outboxSince: 1 }, { partialFilterExpression: { outboxSince: { $exists: true } } });

export const aggregateModel = (connection: Connection): Model<AggregateDocument> =>
  connection.models.Aggregate
    ? connection.model<AggregateDocument>('Aggregate')
    : connection.model<AggregateDocument>('Aggregate', aggregateSchema, 'aggregates');
