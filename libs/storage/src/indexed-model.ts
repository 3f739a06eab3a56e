import { Schema, type Connection, type IndexOptions, type Model } from 'mongoose';

/** An index, and whether it is unique, partial or optional. */
export type DeclaredIndex = readonly [fields: Readonly<Record<string, 1 | -1>>, options?: IndexOptions];

/** The model of a collection, which declares its indexes. Stores use its `collection`, so no field needs a type. */
export function indexedModel<D>(
  connection: Connection,
  collection: string,
  indexes: readonly DeclaredIndex[] = [],
): Model<D> {
  if (connection.models[collection]) return connection.model<D>(collection);
  const schema = new Schema<D>({}, { strict: false, versionKey: false });
  for (const [fields, options] of indexes) schema.index({ ...fields }, options);
  return connection.model<D>(collection, schema, collection);
}
