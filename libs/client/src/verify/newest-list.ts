import type { RevocationList } from './revocation-list';

type Age = Pick<RevocationList, 'thisUpdate' | 'number'>;

/**
 * How new the newest list is that was believed, of those that stand for one another. A list is signed for days and often fetched without TLS:
 * without this, an older one that is still in date would undo what a newer one has revoked.
 */
export class NewestList {
  private newest: Age | undefined;

  /** Whether this list is at least as new as all before it; it is then the newest. Only for lists that are proved. */
  accept(list: Age): boolean {
    if (this.newest && isOlder(list, this.newest)) return false;
    this.newest = { thisUpdate: list.thisUpdate, number: list.number };
    return true;
  }
}

/** Lists made in the same second differ in their number, where they have one. */
function isOlder(list: Age, newest: Age): boolean {
  if (list.thisUpdate.getTime() !== newest.thisUpdate.getTime()) return list.thisUpdate < newest.thisUpdate;
  return list.number !== undefined && newest.number !== undefined && list.number < newest.number;
}
