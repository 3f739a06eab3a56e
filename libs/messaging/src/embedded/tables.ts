import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { preparedStatement } from '@opendsr-service/storage';
import type { PartitionLag } from '../port';
import type { LogRecord, AcceptedRecord } from '../records';

/** Records are numbered without gaps; `first` is the oldest one left. */
interface TopicRow {
  readonly id: number;
  readonly name: string;
  readonly first: number;
  readonly next: number;
  readonly retentionMs: number;
}

/** Most that is read or deleted at once, but for a last record that goes beyond it. */
const batchBytes = 4 * 1024 * 1024;

export function createTables(db: DatabaseSync): void {
  db.exec(`
    CREATE TABLE IF NOT EXISTS log_topics (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, retention_ms INTEGER NOT NULL,
      first INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE IF NOT EXISTS log_records (
      topic INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
      headers TEXT NOT NULL, timestamp_ms INTEGER NOT NULL, PRIMARY KEY (topic, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS log_groups (
      name TEXT NOT NULL, topic INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (name, topic)
    ) STRICT, WITHOUT ROWID;
  `);
}

export function addTopic(db: DatabaseSync, name: string, retentionMs: number): void {
  preparedStatement(db, 'INSERT INTO log_topics (name, retention_ms) VALUES (?, ?)').run(name, retentionMs);
}

export function setRetention(db: DatabaseSync, name: string, retentionMs: number): void {
  preparedStatement(db, 'UPDATE log_topics SET retention_ms = ? WHERE name = ?').run(retentionMs, name);
}

export function findTopic(db: DatabaseSync, name: string): TopicRow | undefined {
  const row = preparedStatement(
    db,
    'SELECT id, name, first, next, retention_ms AS retentionMs FROM log_topics WHERE name = ?',
  ).get(name);
  return row as unknown as TopicRow | undefined;
}

export function topicNames(db: DatabaseSync): readonly string[] {
  return preparedStatement(db, 'SELECT name FROM log_topics')
    .all()
    .map(({ name }) => String(name));
}

/** Appends in the given order, within the caller's transaction. */
export function append(db: DatabaseSync, topic: TopicRow, records: readonly AcceptedRecord[], nowMs: number): void {
  const insert = preparedStatement(
    db,
    'INSERT INTO log_records (topic, position, key, value, headers, timestamp_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  records.forEach(({ key, value, headers }, index) => {
    insert.run(topic.id, topic.next + index, key, value, JSON.stringify(headers), nowMs);
  });
  preparedStatement(db, 'UPDATE log_topics SET next = next + ? WHERE id = ?').run(records.length, topic.id);
}

function toRecord(topic: string, row: Record<string, SQLOutputValue>): LogRecord {
  return {
    topic,
    partition: 0,
    offset: String(row['position']),
    key: String(row['key']),
    value: Buffer.from(row['value'] as Uint8Array),
    headers: JSON.parse(String(row['headers'])) as Record<string, string>,
    timestampMs: Number(row['timestamp_ms']),
  };
}

/** At most `limit` records and a few megabytes from a position on, but at least one. */
export function readFrom(db: DatabaseSync, topic: TopicRow, from: number, limit: number): readonly LogRecord[] {
  const select = preparedStatement(
    db,
    'SELECT position, key, value, headers, timestamp_ms FROM log_records WHERE topic = ? AND position >= ? ORDER BY position LIMIT ?',
  );
  const records: LogRecord[] = [];
  let bytes = 0;
  for (const row of select.iterate(topic.id, from, limit)) {
    const record = toRecord(topic.name, row);
    records.push(record);
    if ((bytes += record.value.length) > batchBytes) break;
  }
  return records;
}

/** The first position that is not older, where times follow the order of positions; that of the next record: all are older. */
export function positionAt(db: DatabaseSync, { id, first, next }: TopicRow, timeMs: number): number {
  const select = preparedStatement(
    db,
    'SELECT position, timestamp_ms FROM log_records WHERE topic = ? AND position >= ? ORDER BY position LIMIT 1',
  );
  let [low, high] = [first, next];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = select.get(id, middle);
    if (row && Number(row['timestamp_ms']) < timeMs) low = Number(row['position']) + 1;
    else high = middle;
  }
  return low;
}

export function committed(db: DatabaseSync, group: string, topicId: number): number | undefined {
  const row = preparedStatement(db, 'SELECT next FROM log_groups WHERE name = ? AND topic = ?').get(group, topicId);
  return row && Number(row['next']);
}

export function commit(db: DatabaseSync, group: string, topicId: number, next: number): void {
  preparedStatement(
    db,
    'INSERT INTO log_groups (name, topic, next) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET next = excluded.next',
  ).run(group, topicId, next);
}

export function lagsOf(db: DatabaseSync, group: string, topics: readonly string[]): readonly PartitionLag[] {
  return topics.map((topic) => {
    const { id = -1, first = 0, next = 0 } = findTopic(db, topic) ?? {};
    return { topic, partition: 0, lag: next - (committed(db, group, id) ?? first), end: String(next) };
  });
}

export function deletePositions(db: DatabaseSync, group: string): void {
  preparedStatement(db, 'DELETE FROM log_groups WHERE name = ?').run(group);
}

/** The position behind the oldest records that are older, at most `limit` and a few megabytes of them. */
export function expiredUpTo(db: DatabaseSync, { id, first }: TopicRow, beforeMs: number, limit: number): number {
  const select = preparedStatement(
    db,
    'SELECT position, length(value) AS bytes, timestamp_ms FROM log_records WHERE topic = ? AND position >= ? ORDER BY position LIMIT ?',
  );
  let [end, bytes] = [first, 0];
  for (const row of select.iterate(id, first, limit)) {
    if (Number(row['timestamp_ms']) >= beforeMs || bytes > batchBytes) break;
    end = Number(row['position']) + 1;
    bytes += Number(row['bytes']);
  }
  return end;
}

export function deleteBefore(db: DatabaseSync, topicId: number, position: number): void {
  preparedStatement(db, 'DELETE FROM log_records WHERE topic = ? AND position < ?').run(topicId, position);
  preparedStatement(db, 'UPDATE log_topics SET first = max(first, ?) WHERE id = ?').run(position, topicId);
}

/** Deletes records that a later one of the same key replaces, at most `limit`; returns their number. */
export function compact(db: DatabaseSync, { id }: TopicRow, limit: number): number {
  const { changes } = preparedStatement(
    db,
    `DELETE FROM log_records WHERE topic = ?1 AND position IN (
      SELECT position FROM (
        SELECT position, max(position) OVER (PARTITION BY key) AS last FROM log_records WHERE topic = ?1
      ) WHERE position < last LIMIT ?2
    )`,
  ).run(id, limit);
  return Number(changes);
}
