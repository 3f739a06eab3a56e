import type { Files } from '../files.store';
import { fail, ok, warn, type Finding } from './finding';

const MIB = 1_048_576;
export const FREE_WARN_BYTES = 2_048 * MIB;
export const FREE_FAIL_BYTES = 256 * MIB;

/** Checks free space and access rights of the folder of the embedded stores. */
export async function folderFindings(folder: string, files: Files): Promise<readonly Finding[]> {
  return [freeFinding(await files.freeBytes(folder)), await accessFinding(folder, files)];
}

export function freeFinding(freeBytes: number): Finding {
  const found = `${Math.floor(freeBytes / MIB)} MiB are free`;
  if (freeBytes < FREE_FAIL_BYTES) return fail('data folder', found, 'free space now: a full disk refuses every write');
  return freeBytes < FREE_WARN_BYTES ? warn('data folder', found, 'make room') : ok('data folder', found);
}

async function accessFinding(folder: string, files: Files): Promise<Finding> {
  if (!(await files.isWritable(folder)))
    return fail(
      'data folder',
      'it cannot be written by this user',
      'run as the user of the service, or make that user its owner',
    );
  if (!(await files.isOpenToOthers(folder))) return ok('data folder', 'only its owner can read it');
  return (await files.isOwn(folder))
    ? warn('data folder', 'users other than its owner can read it', 'restrict it: chmod 700')
    : ok('data folder', 'it belongs to another user, as a mounted volume does; the service closes each file in it');
}
