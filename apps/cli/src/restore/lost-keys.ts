import { scanById, type RestorePlan, type StoredDocument } from '@opendsr-service/replay';
import type { Storage } from '@opendsr-service/storage';

type Connection = Awaited<ReturnType<Storage['database']>>;
type Named = StoredDocument & { readonly kid?: string } & Readonly<Record<string, unknown>>;

const PAGE = 500;

/**
 * Counts documents whose key is missing but not destroyed: their data is lost because the copy of the keys was older.
 * Rejects with the reason of `stop`.
 */
export async function lostKeysIn(
  connection: Connection,
  keys: Connection,
  sealed: RestorePlan<never>['sealed'],
  stop: AbortSignal,
): Promise<number> {
  let lost = 0;
  for (const { collection, holds, unless } of sealed) {
    let page: string[] = [];
    const isSealed = (document: Named): boolean =>
      document[holds ?? 'kid'] !== undefined && (unless === undefined || document[unless] === undefined);
    const count = async (): Promise<void> => {
      const wanted = page;
      page = [];
      const found = await keys
        .collection<{ _id: string }>('dataKeys')
        .find({ _id: { $in: [...new Set(wanted)] } }, { projection: { _id: 1 } })
        .toArray();
      const there = new Set(found.map(({ _id }) => _id));
      lost += wanted.filter((kid) => !there.has(kid)).length;
    };
    for await (const document of scanById<Named>(connection, collection, [
      'ws',
      'kid',
      ...(holds === undefined || holds === 'kid' ? [] : [`${holds}.identities`]),
      ...(unless === undefined ? [] : [unless]),
    ])) {
      stop.throwIfAborted();
      if (document.kid === undefined || !isSealed(document)) continue;
      page.push(document.kid);
      if (page.length === PAGE) await count();
    }
    await count();
  }
  return lost;
}
