import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../private-files';
import { isBusy } from './sqlite-errors';

const openTimeoutMs = 5_000;
/** Waiting for another process blocks the event loop: readers hardly ever must, and writers do it by timers (`SqliteFile`). */
const readerTimeoutMs = 20;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Changing to WAL needs the whole file for a moment, and SQLite does not always wait for it by itself. */
function enterWal(db: DatabaseSync, attempt = 1): void {
  try {
    db.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    if (!isBusy(error) || attempt === 100) throw error;
    Atomics.wait(pause, 0, 0, 20);
    enterWal(db, attempt + 1);
  }
}

/** SQLite sorts in memory too: a container with a read-only root has no folder for temporary files. */
const settings = 'PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY';

/**
 * The two connections of a file. The writer leaves syncing to `SqliteFile`: NORMAL keeps the file sound through a
 * crash, and checkpoints are made by hand, so that neither blocks the event loop inside of a commit. What is deleted is
 * overwritten with zeros.
 */
export function connect(path: string): { writer: DatabaseSync; reader: DatabaseSync } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createPrivateFile(path);
  const writer = new DatabaseSync(path, { timeout: openTimeoutMs });
  try {
    enterWal(writer);
    writer.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON; ${settings}`);
    const reader = new DatabaseSync(path, { timeout: openTimeoutMs });
    reader.exec(`PRAGMA query_only = ON; ${settings}; SELECT count(*) FROM sqlite_schema`);
    writer.exec('PRAGMA busy_timeout = 0');
    reader.exec(`PRAGMA busy_timeout = ${readerTimeoutMs}`);
    return { writer, reader };
  } catch (error) {
    writer.close();
    throw error;
  }
}
