import type { SqliteFile } from '@opendsr-service/storage';
import { UnknownTopic } from '../errors';
import type { LogRecord, Positions } from '../records';
import { findTopic, readFrom } from './tables';

const mostRecords = 500;

export interface ReadRequest {
  readonly topic: string;
  readonly from: Positions;
  readonly closed: AbortSignal;
  readonly handle: (records: readonly LogRecord[]) => Promise<void>;
}

function startAndEnd(file: SqliteFile, topic: string, from: Positions): { next: number; end: number } {
  const row = file.read((db) => findTopic(db, topic));
  if (!row) throw new UnknownTopic(topic);
  const wanted = Number(from[0] ?? row.first);
  return { next: wanted < row.first || wanted > row.next ? row.first : wanted, end: row.next };
}

/** Reads a topic to its present end. Skips records that expire meanwhile. */
export async function readTopic(file: SqliteFile, { topic, from, closed, handle }: ReadRequest): Promise<Positions> {
  closed.throwIfAborted();
  const { end, ...start } = startAndEnd(file, topic, from);
  let { next } = start;
  while (next < end) {
    const records = file.read((db) => {
      const row = findTopic(db, topic);
      return row ? readFrom(db, row, next, Math.min(mostRecords, end - next)) : [];
    });
    const last = records.at(-1);
    if (!last) break;
    await handle(records);
    closed.throwIfAborted();
    next = Number(last.offset) + 1;
  }
  return { 0: String(Math.max(next, end)) };
}
