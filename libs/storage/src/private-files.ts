import { chmodSync, closeSync, lstatSync, openSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;
const STICKY = 0o1000;

/** Files of the service in its data folder; it does not touch others. */
const OWN_FILE = /^(service\.lock|sandbox-credentials\.json|[\w-]+\.(sqlite|db)(-wal|-shm|-journal)?)$/;
const OWN_FOLDERS = ['keys', 'certificates'];

/** Others may read a file of the data folder, and this process cannot change that. */
export class DataFileExposed extends Error {
  override readonly name = 'DataFileExposed';

  constructor(file: string) {
    super(
      `others than its owner may use ${file}, and its mode cannot be changed by this user: ` +
        'give the file to the user of the service, or take the rights of others away (chmod 600)',
    );
  }
}

const found = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });
const isExposed = ({ mode }: Stats): boolean => (mode & OTHERS) !== 0;
const isRefused = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPERM';

/** Windows has no such modes. */
const hasModes = process.platform !== 'win32';

/**
 * Makes an empty file that only its owner may use, under any umask. SQLite gives its mode to the files beside it.
 * One that exists is not opened: to close it again would drop SQLite's locks of the whole process.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function tightenFile(path: string): void {
  const stats = found(path);
  if (!stats?.isFile() || !isExposed(stats)) return;
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch (error) {
    throw isRefused(error) ? new DataFileExposed(path) : error;
  }
}

/** A folder of another owner, or one that all share, stays as it is: its files are closed one by one. */
function tightenFolder(path: string, stats: Stats | undefined): void {
  if (!stats?.isDirectory() || !isExposed(stats) || (stats.mode & STICKY) !== 0) return;
  try {
    chmodSync(path, PRIVATE_FOLDER);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}

/**
 * Takes the rights of others away from a data folder, if there is one, and the files that the service keeps there. The
 * data folder may be a link to a folder; links in it are left as they are. Throws DataFileExposed where a file has another
 * owner.
 */
export function tightenDataFolder(dataDir: string): void {
  const top = statSync(dataDir, { throwIfNoEntry: false });
  if (!hasModes || !top) return;
  tightenFolder(dataDir, top);
  for (const name of readdirSync(dataDir)) if (OWN_FILE.test(name)) tightenFile(join(dataDir, name));
  for (const folder of OWN_FOLDERS.map((name) => join(dataDir, name)).filter((path) => found(path)?.isDirectory())) {
    tightenFolder(folder, found(folder));
    for (const name of readdirSync(folder)) tightenFile(join(folder, name));
  }
}
