import { setImmediate } from 'node:timers/promises';
import type { SqliteFile } from '@opendsr-service/storage';
import { UnknownTopic } from '../errors';
import { type KeyReadBudget, KeyScan, type LeftFrom, readEach } from '../key-scan';
import type { KeyQuestion, KeyRead, KeyReadStart } from '../port';
import { findTopic, positionAt, readFrom } from './tables';

/** Few, because other work of the process waits meanwhile. */
const mostRecords = 200;

/** Finds the records of one key in the one partition of each topic. */
export const readKey = (file: SqliteFile, question: KeyQuestion, closed: AbortSignal) =>
  readEach(question, (start, budget) => readTopicKey(file, start, { key: question.key, budget, closed }));

interface Reading {
  readonly key: string;
  readonly budget: KeyReadBudget;
  readonly closed: AbortSignal;
}

async function readTopicKey(file: SqliteFile, start: KeyReadStart, { key, budget, closed }: Reading): Promise<KeyRead> {
  const { topic } = start;
  closed.throwIfAborted();
  const { begin, end, leftFromMs } = rangeOf(file, start);
  const scan = new KeyScan(key, budget, BigInt(begin), BigInt(end));
  while (scan.goesOn) {
    const records = read(file, topic, Number(scan.position), mostRecords);
    const last = records.at(-1);
    scan.take(records, last ? BigInt(last.offset) + 1n : BigInt(end));
    await setImmediate();
    closed.throwIfAborted();
  }
  return scan.result({ topic, partition: 0, leftFromMs });
}

function rangeOf(
  file: SqliteFile,
  { topic, from }: KeyReadStart,
): { readonly begin: number; readonly end: number } & LeftFrom {
  const row = file.read((db) => findTopic(db, topic));
  if (!row) throw new UnknownTopic(topic);
  const { first, next: end } = row;
  const wanted = typeof from === 'string' ? Number(from) : file.read((db) => positionAt(db, row, from.getTime()));
  const isCut = typeof from === 'string' ? wanted < first : wanted === first && first > 0;
  const begin = Math.min(Math.max(wanted, first), end);
  return { begin, end, leftFromMs: isCut ? (read(file, topic, first, 1)[0]?.timestampMs ?? null) : undefined };
}

const read = (file: SqliteFile, topic: string, from: number, limit: number) =>
  file.read((db) => {
    const row = findTopic(db, topic);
    return row ? readFrom(db, row, from, limit) : [];
  });
