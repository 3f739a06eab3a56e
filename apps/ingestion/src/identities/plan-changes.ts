import type { RefusedChange } from './subject';

/** A change by the `_id` of identities. `from` lists alternatives: any of them is removed. */
export interface ChangeOfIds {
  readonly from: readonly string[];
  readonly to?: string;
}

export interface ChangesMade {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

type ChangePlan = ChangesMade | { readonly refused: readonly RefusedChange[] };

/** Plans the changes in order. A change that is already in force is no fault, so that a caller may retry. */
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

/** The changes that add these, which the profile has no room for. */
export const addingOf = (changes: readonly ChangeOfIds[], added: readonly string[]): RefusedChange[] =>
  changes.flatMap(({ to }, change) =>
    to !== undefined && added.includes(to) ? [{ change, reason: 'too-many' as const }] : [],
  );
