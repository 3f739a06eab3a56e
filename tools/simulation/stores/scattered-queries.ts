type Filter = Readonly<Record<string, unknown>>;

const FILTERED = new Set([
  ...['find', 'findOne', 'countDocuments', 'distinct', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne'],
  ...['deleteMany', 'findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete'],
]);

const isValue = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && '$in' in value);

/** Whether the filter names a shard key of decision 11: the workspace, or the id. */
const isTargeted = ({ ws, _id }: Filter): boolean => isValue(ws) || isValue(_id);

function filtersOf(verb: string, [first]: readonly unknown[]): readonly Filter[] {
  if (FILTERED.has(verb)) return [(first ?? {}) as Filter];
  if (verb !== 'bulkWrite' || !Array.isArray(first)) return [];
  return (first as readonly Readonly<Record<string, { readonly filter?: Filter }>>[]).flatMap((operation) =>
    Object.values(operation).flatMap(({ filter }) => (filter ? [filter] : [])),
  );
}

/** The queries and writes of an operation that a sharded cluster would send to all shards: collection and fields. */
export const scatteredBy = (collection: string, verb: string, args: readonly unknown[]): readonly string[] =>
  filtersOf(verb, args)
    .filter((filter) => !isTargeted(filter))
    .map((filter) => `${collection} by ${Object.keys(filter).sort().join(', ') || 'nothing'}`);
