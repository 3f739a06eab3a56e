import type { RefusedChange } from './subject';

/** A change by the ids under which identities are kept. Several `from`: any of them is the one to take away. */
export interface ChangeOfIds {
  readonly from: readonly string[];
  readonly to?: string;
}

/** What has to be written for changes, or why they cannot be made. */
export type ChangePlan =
  | { readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly refused: readonly RefusedChange[] };

/**
 * Plans changes of the identities of `mpid`, each seen after those before it. A change that is in force already is no fault, so
 * that a caller who did not hear the answer may ask again.
 */
export function planChanges(
  mpid: string,
  changes: readonly ChangeOfIds[],
  ownerOf: (id: string) => string | undefined,
): ChangePlan {
  const touched = new Map<string, string | undefined>();
  const ownerNow = (id: string): string | undefined => (touched.has(id) ? touched.get(id) : ownerOf(id));
  const refused = changes.flatMap(({ from, to }, change): RefusedChange[] => {
    const owned = from.filter((id) => ownerNow(id) === mpid);
    const isInForce = to !== undefined && ownerNow(to) === mpid;
    if (from.length > 0 && owned.length === 0 && !isInForce) return [{ change, reason: 'not-owned' }];
    const holder = to === undefined ? mpid : (ownerNow(to) ?? mpid);
    if (holder !== mpid) return [{ change, reason: 'owned-by-another' }];
    for (const id of owned) touched.set(id, undefined);
    if (to !== undefined) touched.set(to, mpid);
    return [];
  });
  if (refused.length > 0) return { refused };
  const changed = [...touched].filter(([id, owner]) => owner !== ownerOf(id));
  return {
    add: changed.filter(([, owner]) => owner === mpid).map(([id]) => id),
    remove: changed.filter(([, owner]) => owner !== mpid).map(([id]) => id),
  };
}
