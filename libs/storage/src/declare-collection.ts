import { Schema, type Collection, type Connection, type IndexOptions } from 'mongoose';

/** An index of a collection, and its options, such as `unique`. */
export interface DeclaredIndex extends IndexOptions {
  readonly fields: Readonly<Record<string, 1 | -1>>;
  /** The field without which a document is not in it. Default: all documents are. */
  readonly where?: string;
}

/** A collection, whose indexes `ensureIndexes` creates. Its documents are read and written as they are. */
export function declareCollection<D extends object>(
  connection: Connection,
  name: string,
  indexes: readonly DeclaredIndex[] = [],
): Collection<D> {
  if (!connection.models[name]) connection.model(name, schemaOf(indexes), name);
  return connection.collection<D>(name);
}

function schemaOf(indexes: readonly DeclaredIndex[]): Schema {
  const schema = new Schema({}, { strict: false, versionKey: false, autoIndex: false });
  for (const { fields, where, ...options } of indexes)
    schema.index(
      { ...fields },
      { ...options, ...(where !== undefined && { partialFilterExpression: { [where]: { $exists: true } } }) },
    );
  return schema;
}
