import type { RevocationList } from './revocation-list';

type Age = Pick<RevocationList, 'thisUpdate' | 'number'>;

/** Refuses a list that is older than an accepted one: over plain HTTP, a replay would undo a revocation. */
export class NewestList {
  private newest: Age | undefined;

  /** Call it only after the signature was verified. */
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
