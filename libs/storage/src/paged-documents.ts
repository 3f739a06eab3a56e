import type { Collection } from 'mongoose';
import { areDuplicates } from './errors';
import { inPages } from './in-pages';

interface Stored {
  readonly _id: string;
  readonly ws: string;
}

/** Inserts the documents whose `_id` does not exist yet. */
export async function insertMissing<D extends Stored>(
  collection: Pick<Collection<D>, 'bulkWrite'>,
  documents: readonly D[],
): Promise<void> {
  const stored = collection as unknown as Collection<Stored>;
  for (const page of inPages(documents)) {
    const writes = page.map(({ _id, ws, ...fresh }) => ({
      updateOne: { filter: { _id, ws }, update: { $setOnInsert: fresh }, upsert: true },
    }));
    // MongoDB may answer so where another call inserts the same at the same time.
    await stored.bulkWrite(writes, { ordered: false }).catch((error: unknown) => {
      if (!areDuplicates(error)) throw error;
    });
  }
}

/** Whether one of these documents exists. */
export async function isAnyStored<D extends Stored>(
  collection: Pick<Collection<D>, 'findOne'>,
  ws: string,
  ids: readonly string[],
): Promise<boolean> {
  const stored = collection as unknown as Collection<Stored>;
  for (const page of inPages(ids))
    if (await stored.findOne({ _id: { $in: page }, ws }, { projection: { _id: 1 } })) return true;
  return false;
}

/** Removes up to `limit` documents that match `isOld`. Returns their number. */
export async function sweepPage<D extends Stored>(
  collection: Pick<Collection<D>, 'find' | 'bulkWrite'>,
  isOld: object,
  limit: number,
): Promise<number> {
  const stored = collection as unknown as Collection<Stored>;
  const old = await stored.find(isOld, { limit, projection: { _id: 1, ws: 1 } }).toArray();
  if (old.length === 0) return 0;
  const deletes = old.map(({ _id, ws }) => ({ deleteOne: { filter: { _id, ws, ...isOld } } }));
  await stored.bulkWrite(deletes, { ordered: false });
  return old.length;
}
