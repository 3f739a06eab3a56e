import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, tightenDataFolder } from './private-files';
import { isBusy } from './sqlite/sqlite-errors';

export class DataDirectoryHeld extends Error {
  override readonly name = 'DataDirectoryHeld';

  constructor(dataDir: string) {
    super(`The data folder ${dataDir} is held by another running service`);
  }
}

/**
 * Takes the data folder for this process until `release` or the end of the process, however it ends: the operating
 * system drops the lock. The folder and its files are closed to all but their owner first. Throws DataDirectoryHeld,
 * and DataFileExposed where a file of another owner is open to others.
 */
export function lockDirectory(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  tightenDataFolder(dataDir);
  const file = join(dataDir, 'service.lock');
  createPrivateFile(file);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw isBusy(error) ? new DataDirectoryHeld(dataDir) : error;
  }
  return { release: () => db.close() };
}
