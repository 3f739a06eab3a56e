import type { Model } from 'mongoose';

/** The earliest date up to `until` in a field, which needs an index of its own; undefined: there is none. */
export async function earliest<T extends object>({ collection }: Pick<Model<T>, 'collection'>, field: string, until: Date): Promise<Date | undefined> {
  const [first] = await collection.find({ [field]: { $lte: until } }, { sort: { [field]: 1 }, limit: 1, projection: { [field]: 1 } }).toArray();
  return first?.[field] as Date | undefined;
}

export interface Ends {
  /** A date that not every document has, with an index of its own. */
  readonly field: string;
  /** How many are read at each end. */
  readonly each: number;
  readonly projection: Readonly<Record<string, 1>>;
}

/** The documents with the earliest and with the latest dates in a field: all that have one where they are few, some of them twice. */
export async function bothEnds<T extends object>({ collection }: Pick<Model<T>, 'collection'>, { field, each, projection }: Ends): Promise<T[]> {
  const end = (direction: 1 | -1) => collection.find({ [field]: { $exists: true } }, { sort: { [field]: direction }, limit: each, projection }).toArray();
  const [first, last] = await Promise.all([end(1), end(-1)]);
  return [...first, ...last] as unknown as T[];
}
