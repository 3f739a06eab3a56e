import type { RevocationList } from './revocation-list';

type Age = Pick<RevocationList, 'thisUpdate' | 'number'>;

/**
 * Refuses lists older than one already accepted: downloads without TLS could replay an older list, and undo a
 * revocation.
 */
export class NewestList {
  private newest: Age | undefined;

  /** Only for lists with a verified signature. */
  accept(list: Age): boolean {
    if (this.newest && isOlder(list, this.newest)) return false;
    this.newest = { thisUpdate: list.thisUpdate, number: list.number };
    return true;
  }
}

/** Lists of the same second differ by number. */
function isOlder(list: Age, newest: Age): boolean {
  if (list.thisUpdate.getTime() !== newest.thisUpdate.getTime()) return list.thisUpdate < newest.thisUpdate;
  return list.number !== undefined && newest.number !== undefined && list.number < newest.number;
}
