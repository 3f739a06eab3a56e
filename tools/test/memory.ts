import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** As the system's own: some specs start processes of another account. */
const MODE = 0o1777;

/**
 * Gives the run a folder for temporary files in memory, where there is room: stores and servers sync each commit, and a disk that three tracks
 * share made them wait. A `TMPDIR` of the environment stays. Returns what removes the folder.
 */
export function keepTemporaryFilesInMemory(
  env: NodeJS.ProcessEnv,
  { folder, neededBytes } = { folder: '/dev/shm', neededBytes: 6 * 1024 ** 3 },
): () => void {
  if (env.TMPDIR !== undefined || freeBytes(folder) < neededBytes) return () => undefined;
  const own = mkdtempSync(join(folder, 'opendsr-test-'));
  chmodSync(own, MODE);
  env.TMPDIR = own;
  return () => {
    delete env.TMPDIR;
    rmSync(own, { recursive: true, force: true });
  };
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
