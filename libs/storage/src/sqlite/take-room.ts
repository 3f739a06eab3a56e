import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';

/**
 * Writes so many bytes to a file of that name, which goes away at once. Rejects where the disk has no such room, or a quota
 * leaves none. Random bytes, because a file system may compress others.
 */
export async function takeRoom(path: string, bytes: number): Promise<void> {
  const file = await fs.open(path, 'w', 0o600);
  try {
    await fs.unlink(path);
    await file.writeFile(randomBytes(bytes));
    await file.datasync();
  } finally {
    await file.close();
  }
}
