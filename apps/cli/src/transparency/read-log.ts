import {
  HASH_BYTES,
  leafHash,
  openCheckpoint,
  RunningRoot,
  TILE_WIDTH,
  type Checkpoint,
  type FilledTile,
  type NoteVerifier,
} from '@opendsr-service/transparency';
import type { PublicLog } from './public-log.client';

/** An entry as far as the audit reads it. */
export interface LogEntry {
  readonly kind: string;
  readonly digest: string;
  readonly at: string;
  readonly dueAt?: string;
  /** Keyed pseudonym. */
  readonly workspace?: string;
}

/** What is wrong with a log. */
export type LogFault =
  | 'not-signed' // the checkpoint is none of this key
  | 'rolled-back' // it is smaller than the last one seen
  | 'forked' // the last one seen is no prefix of it
  | 'changed' // the entries do not have its root
  | 'tiles-differ' // the tiles of hashes are not those of the entries
  | 'unreadable-entry';

export interface ReadLog {
  readonly checkpoint: Checkpoint | undefined;
  readonly note: string;
  readonly entries: readonly LogEntry[];
  readonly faults: readonly LogFault[];
}

/** Reads the whole log, and proves it from its entries up: root, tiles, and that it continues `last`. */
export async function readLog(
  log: Pick<PublicLog, 'checkpoint' | 'entries' | 'tiles'>,
  verifier: NoteVerifier,
  last: Checkpoint | undefined,
): Promise<ReadLog> {
  const note = await log.checkpoint();
  const checkpoint = openCheckpoint(note, verifier);
  if (!checkpoint) return { checkpoint, note, entries: [], faults: ['not-signed'] };
  const read = await taken(log, checkpoint.size, last?.size);
  const faults = [
    ...rootFaults(checkpoint, read.roots, last),
    ...(await tileFaults(log, checkpoint.size, read.hashes)),
  ];
  if (read.entries.includes(undefined)) faults.push('unreadable-entry');
  return { checkpoint, note, entries: read.entries.filter((entry) => entry !== undefined), faults };
}

interface Roots {
  readonly now: Buffer;
  /** Of the size that was seen last, where the log has it. */
  readonly last: Buffer | undefined;
}

function rootFaults(checkpoint: Checkpoint, { now, last: then }: Roots, last: Checkpoint | undefined): LogFault[] {
  const faults: LogFault[] = [];
  if (last && last.size > checkpoint.size) faults.push('rolled-back');
  if (!now.equals(checkpoint.root)) faults.push('changed');
  if (last && last.size <= checkpoint.size && !then?.equals(last.root)) faults.push('forked');
  return faults;
}

async function tileFaults(
  log: Pick<PublicLog, 'tiles'>,
  size: number,
  hashes: readonly Buffer[],
): Promise<readonly LogFault[]> {
  for await (const tile of log.tiles(size)) if (!holds(tile, expected(hashes, tile))) return ['tiles-differ'];
  return [];
}

const holds = ({ hashes }: FilledTile, those: readonly Buffer[]): boolean =>
  hashes.length === those.length * HASH_BYTES && hashes.equals(Buffer.concat(those));

async function taken(log: Pick<PublicLog, 'entries'>, size: number, lastSize: number | undefined) {
  const running = new RunningRoot();
  const hashes: Buffer[] = [];
  const entries: (LogEntry | undefined)[] = [];
  let last = lastSize === 0 ? running.root() : undefined;
  for await (const bundle of log.entries(size))
    for (const entry of bundle) {
      const hash = leafHash(entry);
      running.add(hash);
      hashes.push(hash);
      entries.push(readEntry(entry));
      if (running.size === lastSize) last = running.root();
    }
  return { hashes, entries, roots: { now: running.root(), last } };
}

/** The hashes of a tile: each the root of the leaves below it. */
function expected(
  hashes: readonly Buffer[],
  { level, index, width }: Readonly<Record<'level' | 'index' | 'width', number>>,
): Buffer[] {
  const leaves = TILE_WIDTH ** level;
  return Array.from({ length: width }, (_, n) => {
    const begin = (index * TILE_WIDTH + n) * leaves;
    const running = new RunningRoot();
    for (const hash of hashes.slice(begin, begin + leaves)) running.add(hash);
    return running.root();
  });
}

function readEntry(entry: Buffer): LogEntry | undefined {
  try {
    const read = JSON.parse(entry.toString('utf8')) as Partial<LogEntry> | null;
    const isEntry = [read?.kind, read?.digest, read?.at].every((field) => typeof field === 'string');
    return isEntry ? (read as LogEntry) : undefined;
  } catch {
    return undefined;
  }
}
