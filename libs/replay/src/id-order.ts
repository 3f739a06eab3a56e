import type { Connection } from 'mongoose';
import type { StoredDocument } from './projection';

const PAGE = 500;

/** The documents by id, in pages, so that no cursor stays open. */
export async function* scanById<D extends StoredDocument>(
  connection: Connection,
  collection: string,
  fields: readonly string[] = [],
): AsyncGenerator<D, void> {
  const documents = connection.collection<StoredDocument>(collection);
  const projection = fields.length > 0 && { projection: Object.fromEntries(fields.map((field) => [field, 1])) };
  for (let after: string | undefined, isMore = true; isMore;) {
    const page = await documents
      .find(after === undefined ? {} : { _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE, ...projection })
      .toArray();
    yield* page as unknown as D[];
    after = page.at(-1)?._id;
    isMore = page.length === PAGE;
  }
}

/** Stores compare bytes, JavaScript compares UTF-16 units. */
const before = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

export type DocumentPair<D> = readonly [present: D | null, folded: D | null];

/** Pairs the documents of two ordered lists by id; null: missing in one list. */
export async function* pairById<D extends StoredDocument>(
  presents: AsyncIterator<D, void>,
  foldeds: AsyncIterator<D, void>,
): AsyncGenerator<DocumentPair<D>, void> {
  const next = async (list: AsyncIterator<D, void>): Promise<D | null> => (await list.next()).value ?? null;
  let [present, folded] = [await next(presents), await next(foldeds)];
  while (present || folded) {
    const isFirst = (one: D | null, other: D | null): boolean =>
      one !== null && (other === null || !before(other._id, one._id));
    const [hasPresent, hasFolded] = [isFirst(present, folded), isFirst(folded, present)];
    yield [hasPresent ? present : null, hasFolded ? folded : null];
    if (hasPresent) present = await next(presents);
    if (hasFolded) folded = await next(foldeds);
  }
}
