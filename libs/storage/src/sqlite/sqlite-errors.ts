import { types } from 'node:util';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** Also an error that was made in another realm, as those of Node's own modules are inside of Jest. */
export const isError = (thrown: unknown): thrown is Error => types.isNativeError(thrown);

/** The primary result code of an error that SQLite raised; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!isError(error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

const diskFaults = new Set([SQLITE_IOERR, SQLITE_FULL]);

/** The disk is full or fails. */
export function isDiskFault(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && diskFaults.has(code);
}

const infrastructure = new Set([SQLITE_BUSY, SQLITE_LOCKED, ...diskFaults, SQLITE_CANTOPEN]);

/** Busy, locked, a disk that is full or fails, or a file that does not open. */
export function isSqliteUnavailable(error: unknown): boolean {
  const code = sqliteCode(error);
  return error instanceof SqliteFileUnusable || (code !== undefined && infrastructure.has(code));
}

/** The file can no longer guarantee durability: a sync failed, or it was closed. */
export class SqliteFileUnusable extends Error {
  override readonly name = 'SqliteFileUnusable';
  readonly holdsNoValues = true;
}
