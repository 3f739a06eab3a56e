/** The embedded store seeks each of a list only up to 256 of them. */
const MOST_IDS = 200;

/** An update of one document, which its filter names by `_id` and `ws`. */
export interface SingleUpdate {
  readonly filter: { readonly _id: string; readonly ws: string } & Readonly<Record<string, unknown>>;
  readonly update: object;
}

interface SharedUpdate {
  readonly updateMany: { readonly filter: object; readonly update: object };
}

/**
 * One `updateMany` for all that differ only in the document: MongoDB spends on it a third of what single updates cost
 * (decision 22). The driver does not repeat it after a failover: it is for callers that repeat what failed.
 */
export function alikeUpdates(updates: readonly SingleUpdate[]): SharedUpdate[] {
  const alike = Map.groupBy(updates, ({ filter, update }) =>
    JSON.stringify([{ ...filter, _id: undefined, ws: undefined }, update]),
  );
  return [...alike.values()].flatMap((these) =>
    Array.from({ length: Math.ceil(these.length / MOST_IDS) }, (_, page) =>
      shared(these.slice(page * MOST_IDS, (page + 1) * MOST_IDS)),
    ),
  );
}

function shared(these: readonly SingleUpdate[]): SharedUpdate {
  const [{ filter, update }] = these as readonly [SingleUpdate];
  const _id = { $in: these.map((one) => one.filter._id) };
  const ws = { $in: [...new Set(these.map((one) => one.filter.ws))] };
  return { updateMany: { filter: { ...filter, _id, ws }, update } };
}
