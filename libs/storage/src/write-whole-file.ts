import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';

const OWNER_ONLY = 0o600;

/**
 * Writes all of a file or nothing, also in a crash; by default only its owner may use it. `place` names the finished draft:
 * `rename` replaces a file of that name, `link` rejects with EEXIST.
 */
export async function writeWholeFile(
  file: string,
  text: string,
  place: (draft: string, file: string) => Promise<void>,
  mode = OWNER_ONLY,
): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await place(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
