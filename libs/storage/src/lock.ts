import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite/sqlite-errors';

/** Another process serves from this data folder. */
export class DataDirectoryHeld extends Error {
  override readonly name = 'DataDirectoryHeld';

  constructor(dataDir: string) {
    super(`The data folder ${dataDir} is held by another running service`);
  }
}

/** Takes the data folder for this process until `release` or the end of the process, however it ends: the operating system drops the lock. */
export function lockDirectory(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(dataDir, 'service.lock'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw isBusy(error) ? new DataDirectoryHeld(dataDir) : error;
  }
  return { release: () => db.close() };
}
