import type { Model } from 'mongoose';

/** The earliest date up to `until` in a field, which needs an index of its own; undefined: there is none. */
export async function earliest<T extends object>({ collection }: Pick<Model<T>, 'collection'>, field: string, until: Date): Promise<Date | undefined> {
  const [first] = await collection.find({ [field]: { $lte: until } }, { sort: { [field]: 1 }, limit: 1, projection: { [field]: 1 } }).toArray();
  return first?.[field] as Date | undefined;
}
