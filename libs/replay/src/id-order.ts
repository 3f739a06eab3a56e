import type { Connection } from 'mongoose';
import type { StoredDocument } from './projection';

const PAGE = 500;

/** The documents in the order of their ids, page by page, so that nothing is held open. `fields`: what to read. */
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

/** Stores order text by its bytes, which is not the order of JavaScript for every character. */
const before = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

/** The document of one id in the database and as it was folded; null: there is none. */
export type DocumentPair<D> = readonly [present: D | null, folded: D | null];

/** What two ordered lists hold side by side: the documents of one id together. */
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
