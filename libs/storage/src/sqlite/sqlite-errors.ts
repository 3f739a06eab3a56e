const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** The primary result code of an error that SQLite raised; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

/** Another connection holds the lock that this statement needs. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** The file can no longer promise to keep what it is given: a sync failed, or it was closed. */
export class SqliteFileUnusable extends Error {
  override readonly name = 'SqliteFileUnusable';
}
