import { preparedStatement } from '../../sqlite/statements';
import type { Collection } from './catalog';
import type { KeyRange } from './ranges';
import type { Plan } from './planner';

export interface Row {
  readonly r: number;
  readonly d: Uint8Array;
}

/** Position of a scan between two batches; nothing is held open, so writers may run in between. */
export interface Position {
  readonly range: number;
  readonly key: Uint8Array | undefined;
  readonly r: number;
}

export const start: Position = { range: 0, key: undefined, r: 0 };

interface Batch {
  readonly rows: readonly Row[];
  /** Undefined: the scan is complete. */
  readonly next: Position | undefined;
}

interface KeyedRow extends Row {
  readonly k: Uint8Array;
}

function naturalOrder({ db, table }: Collection, position: Position, limit: number): Batch {
  const rows = preparedStatement(db, `SELECT r, d FROM c${table} WHERE r > ? ORDER BY r LIMIT ?`).all(
    position.r,
    limit,
  ) as unknown as Row[];
  const last = rows.at(-1);
  return { rows, next: last && rows.length === limit ? { ...position, r: last.r } : undefined };
}

const highest = Buffer.alloc(16, 0xff);

/** The query for one page of an index's keys. */
function keyedSelect({ table }: Collection, { index, reverse, last }: Plan): string {
  const [key, row, tables] =
    index?.table === undefined
      ? ['id', 'r', `c${table}`]
      : ['i.k', 'i.r', `i${index.table} i CROSS JOIN c${table} c ON c.r = i.r`];
  const [end, step, order] = reverse ? ['>=', '<', 'DESC'] : ['<', '>', 'ASC'];
  const ofLast = last
    ? `AND substr(${key}, ?) ${last.is} (${Array(paddedLength(last.keys.length)).fill('?').join()})`
    : '';
  return (
    `SELECT ${key} k, ${row} r, d FROM ${tables} WHERE (${key}, ${row}) ${step} (?, ?) AND ${key} ${end} ? ${ofLast} ` +
    `ORDER BY ${key} ${order}, ${row} ${order} LIMIT ?`
  );
}

/** Powers of two, so that there are few statements to prepare. */
const paddedLength = (length: number): number => 2 ** Math.ceil(Math.log2(length));

function lastFieldParameters({ last }: Plan, { fixedBytes }: KeyRange): readonly (number | Buffer)[] {
  if (!last) return [];
  const padding = Array<Buffer>(paddedLength(last.keys.length) - last.keys.length).fill(last.keys[0] as Buffer);
  return [fixedBytes + last.behindBytes + 1, ...last.keys, ...padding];
}

/** Pages by key and row number, the order of the index, so each page of a range begins with one seek. */
function keyOrder(collection: Collection, plan: Plan, from: Position, limit: number): Batch {
  const statement = preparedStatement(collection.db, keyedSelect(collection, plan));
  const rows: KeyedRow[] = [];
  let position: Position | undefined = from;
  // A search of many keys has many ranges of one row each: a batch for each would take as many turns of the loop as there
  // are keys.
  while (position && rows.length < limit) {
    const range: KeyRange | undefined = plan.ranges[position.range];
    if (!range) return { rows, next: undefined };
    const [begin, end] = plan.reverse ? [range.to ?? highest, range.from] : [range.from, range.to ?? highest];
    const wanted = limit - rows.length;
    const found = statement.all(
      position.key ?? begin,
      position.key ? position.r : -1,
      end,
      ...lastFieldParameters(plan, range),
      wanted,
    ) as unknown as KeyedRow[];
    rows.push(...found);
    position = after(position, found.length === wanted ? found.at(-1) : undefined, plan);
  }
  return { rows, next: position };
}

/** Behind the last row of a full page, or at the next range. */
function after({ range }: Position, last: KeyedRow | undefined, { ranges }: Plan): Position | undefined {
  if (last) return { range, key: last.k, r: last.r };
  return range + 1 < ranges.length ? { range: range + 1, key: undefined, r: 0 } : undefined;
}

/** One batch of candidates of a plan: all matches are among them, and the caller still tests each. */
export function scanBatch(collection: Collection, plan: Plan, position: Position, limit: number): Batch {
  return plan.index ? keyOrder(collection, plan, position, limit) : naturalOrder(collection, position, limit);
}

export function rowById({ db, table }: Collection, id: Buffer): Row | undefined {
  return preparedStatement(db, `SELECT r, d FROM c${table} WHERE id = ?`).get(id) as unknown as Row | undefined;
}

export function rowAt({ db, table }: Collection, r: number): Row | undefined {
  return preparedStatement(db, `SELECT r, d FROM c${table} WHERE r = ?`).get(r) as unknown as Row | undefined;
}

/** All candidates, for use inside of one write. Rows are read ahead: do not change the collection meanwhile. */
export function* scan(collection: Collection, plan: Plan): Generator<Row> {
  let position: Position | undefined = start;
  let limit = 16;
  while (position) {
    const batch: Batch = scanBatch(collection, plan, position, limit);
    yield* batch.rows;
    position = batch.next;
    limit = Math.min(limit * 4, 512);
  }
}
