import type { SqliteFile } from '../../sqlite/file';
import type { Doc } from '../bson';
import { collectionsOf } from '../index/catalog';
import type { Plan } from '../index/planner';
import { planFor } from '../index/planner';
import type { Position, Row } from '../index/scan';
import { scanBatch, start } from '../index/scan';
import { comparator } from './order';
import type { Query } from './query';
import { firstMatch, singleId } from './query';

const smallest = 16;
const largest = 1_024;
/** About ten milliseconds of reading and decoding, during which nothing else runs. */
const batchBytes = 200_000;

export interface Source {
  readonly file: SqliteFile;
  readonly collection: string;
  readonly read: (bytes: Uint8Array) => Doc;
}

const bytesOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + row.d.length, 0);

/** What was read since other work ran. */
class Turn {
  private rows = 0;
  private bytes = 0;

  get isLong(): boolean {
    return this.rows >= largest || this.bytes >= batchBytes;
  }

  add(rows: readonly Row[]): void {
    this.rows += rows.length;
    this.bytes += bytesOf(rows);
  }

  async end(): Promise<void> {
    await new Promise(setImmediate);
    this.rows = 0;
    this.bytes = 0;
  }
}

/** Batches hold about this many bytes. */
function nextSize(size: number, rows: readonly Row[]): number {
  const bytes = bytesOf(rows);
  const fitting = bytes === 0 ? largest : Math.floor((batchBytes * rows.length) / bytes);
  return Math.max(smallest, Math.min(fitting, size * 4, largest));
}

/**
 * The matches in the order of the plan, up to about `limit`. Nothing is held open between batches, and other work runs. As
 * long as every candidate matches, no more are read than are wanted.
 */
async function* planned(
  { file, collection: name, read }: Source,
  query: Query,
  { plan, limit, turn = new Turn() }: { readonly plan: Plan; readonly limit: number; readonly turn?: Turn },
): AsyncGenerator<Doc[], void> {
  let position: Position | undefined = start;
  let size = smallest;
  let wanted = limit;
  let allMatch = true;
  while (position && wanted > 0) {
    if (position !== start || turn.isLong) await turn.end();
    const from: Position = position;
    const most: number = allMatch ? Math.min(size, wanted) : size;
    const batch = file.read((db) => {
      const collection = collectionsOf(db).get(name);
      return collection ? scanBatch(collection, plan, from, most) : { rows: [], next: undefined };
    });
    turn.add(batch.rows);
    const matches = batch.rows.map((row) => read(row.d)).filter(query.filter.test);
    yield matches;
    wanted -= matches.length;
    allMatch &&= matches.length === batch.rows.length;
    position = batch.next;
    size = nextSize(size, batch.rows);
  }
}

/**
 * An order that no index gives needs all matches at once; with a limit only so many of them are kept. Where each range gives it,
 * only so many of each are read.
 */
async function* ordered(source: Source, query: Query, plan: Plan, limit: number): AsyncGenerator<Doc[]> {
  const order = comparator(query.sort);
  const turn = new Turn();
  const parts = plan.sortedApart
    ? plan.ranges.map((range) => ({ plan: { ...plan, ranges: [range] }, limit, turn }))
    : [{ plan, limit: Infinity }];
  let found: Doc[] = [];
  for (const part of parts)
    for await (const batch of planned(source, query, part)) {
      found.push(...batch);
      if (found.length > 2 * limit + largest) found = found.sort(order).slice(0, limit);
    }
  yield found.sort(order).slice(0, limit);
}

export async function* batchesOf(source: Source, query: Query, limit = Infinity): AsyncGenerator<Doc[], void> {
  const { file, collection: name } = source;
  const plan = file.read((db) => {
    const collection = collectionsOf(db).get(name);
    return collection && planFor(collection, query.filter, query.sort);
  });
  if (!plan) return;
  if (singleId(query)) yield firstDoc(source, query);
  else yield* plan.sorted ? planned(source, query, { plan, limit }) : ordered(source, query, plan, limit);
}

export function firstDoc({ file, collection, read }: Source, query: Query): Doc[] {
  const found = file.read((db) => firstMatch(collectionsOf(db).get(collection), query, read));
  return found ? [found.doc] : [];
}
