import { link, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWholeFile } from '@opendsr-service/storage';
import { VaultError } from './vault-error';

/** Creates the file (0600) with what `make` answers if it does not exist. Concurrent processes agree on one content. */
export async function ensurePrivateFile(file: string, make: () => string): Promise<void> {
  const isPresent = await readFile(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
  if (!isPresent) await makePrivateFile(file, make());
}

/** The text of a key's file, without blanks around it. */
export async function keyFileText(key: 'master' | 'log', file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new VaultError(`${key}-key-file`, `the ${key} key file ${file} cannot be read (${error.code ?? error.name})`);
  });
  return text.trim();
}

/** Creates a file (0600) if it does not exist. Of concurrent processes one is first, and its file stays. */
export async function makePrivateFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A link is atomic and never replaces the file of a process that was faster.
  await writeWholeFile(file, text, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await syncFolder(dirname(file));
}

/** Without it a power failure may lose the name of a new file, or bring that of a removed one back. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
