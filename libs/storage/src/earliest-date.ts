import type { Collection } from 'mongoose';

/** The earliest date up to `until` in an indexed field. `beside`: only of documents that have this field, too. */
export async function earliestDate<T extends object>(
  documents: Collection<T>,
  field: string,
  until: Date,
  beside?: string,
): Promise<Date | undefined> {
  const collection = documents as unknown as Collection;
  const [first] = await collection
    .find(
      { [field]: { $lte: until }, ...(beside !== undefined && { [beside]: { $exists: true } }) },
      { sort: { [field]: 1 }, limit: 1, projection: { [field]: 1 } },
    )
    .toArray();
  return first?.[field] as Date | undefined;
}
