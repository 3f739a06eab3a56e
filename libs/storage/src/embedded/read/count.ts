import { isOperators } from '../filter/operators';
import { collectionsOf } from '../index/catalog';
import type { Index } from '../index/definition';
import { isUsable } from '../index/planner';
import { rangesFor, type KeyRange } from '../index/ranges';
import { preparedStatement } from '../../sqlite/statements';
import { compare } from '../values';
import type { Source } from './batches';
import type { Query } from './query';

/** About ten milliseconds, during which nothing else runs. */
const AT_ONCE = 20_000;
const ENDS: readonly string[] = ['$gt', '$gte', '$lt', '$lte'];
/** Compares as greater than any row number of the end of a range. */
const BEFORE_ALL = -1;

/** The first index whose keys hold all that a filter asks of a document; undefined: none does. */
export const coveringIndex = (indexes: readonly Index[], query: Pick<Query, 'given' | 'filter'>): Index | undefined =>
  indexes.find(
    (index) => index.table !== undefined && isUsable(index, query.filter.bounds) && isSaidByKeys(index, query),
  );

function isSaidByKeys(index: Index, { given, filter }: Pick<Query, 'given' | 'filter'>): boolean {
  const { fixed } = rangesFor(index, filter.bounds);
  return Object.entries(given).every(([path, operand]) => {
    const at = index.paths.indexOf(path);
    if (typeof operand === 'string' || operand === true) return at >= 0 && at < fixed;
    return (at === fixed && isDateRange(operand)) || isSaidByPartial(index, path, operand);
  });
}

/** Keys of dates are exact, and a range holds dates alone. */
function isDateRange(operand: unknown): boolean {
  if (!isOperators(operand)) return false;
  const names = Object.keys(operand);
  const ofEach = ['$g', '$l'].map((side) => names.filter((name) => name.startsWith(side)).length);
  return (
    names.every((name) => ENDS.includes(name) && operand[name] instanceof Date) && ofEach.every((count) => count <= 1)
  );
}

function isSaidByPartial({ spec: { partialFilterExpression = {} } }: Index, path: string, operand: unknown): boolean {
  const said = partialFilterExpression[path];
  return isOperators(said) && isOperators(operand) && compare(said, operand) === 0;
}

/** Counts by the keys of an index, up to `most`, without a look at documents; undefined: no index says enough. */
export async function countByKeys({ file, collection: name }: Source, query: Query, most: number) {
  const index = file.read((db) => coveringIndex(collectionsOf(db).get(name)?.indexes ?? [], query));
  if (!index) return undefined;
  let count = 0;
  for (const range of rangesFor(index, query.filter.bounds).ranges) {
    for (let from: Place | undefined = { k: range.from, r: BEFORE_ALL }; from && count < most;) {
      const piece = readPiece(file, index, { range, from, limit: Math.min(AT_ONCE, most - count) });
      count += piece.count;
      from = piece.last;
      if (from) await new Promise(setImmediate);
    }
  }
  return count;
}

interface Place {
  readonly k: Uint8Array;
  readonly r: number;
}

interface Piece {
  readonly range: KeyRange;
  readonly from: Place;
  readonly limit: number;
}

const HIGHEST = Buffer.alloc(16, 0xff);

/** Counts the next keys of a range; `last` is there while more may follow. */
function readPiece(file: Source['file'], { table }: Index, { range, from, limit }: Piece) {
  const keys = `FROM i${String(table)} WHERE (k, r) > (?, ?) AND k < ?`;
  const given = [from.k, from.r, range.to ?? HIGHEST] as const;
  return file.read((db) => {
    const counted = preparedStatement(db, `SELECT count(*) n FROM (SELECT 1 ${keys} LIMIT ?)`).get(...given, limit);
    const { n: count } = counted as unknown as { readonly n: number };
    if (count < limit) return { count, last: undefined };
    const last = preparedStatement(db, `SELECT k, r ${keys} ORDER BY k, r LIMIT 1 OFFSET ?`).get(...given, limit - 1);
    return { count, last: last as unknown as Place };
  });
}
