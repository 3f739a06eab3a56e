import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { VaultError } from './vault-error';

const KEY_BYTES = 32;
const FORM = '32 bytes as base64 or as 64 hexadecimal digits';

/** Throws a VaultError `master-key-file` that names the file but never its content. */
export async function loadMasterKey(file: string): Promise<KeyObject> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new VaultError('master-key-file', `the master key file ${file} cannot be read (${error.code ?? error.name})`);
  });
  const bytes = keyBytes(text.trim());
  if (!bytes)
    throw new VaultError('master-key-file', `the master key file ${file} does not hold a key: expected ${FORM}`);
  return createSecretKey(bytes);
}

/** For the sandbox: creates the file (0600) if it does not exist. Concurrent processes agree on one key. */
export async function ensureMasterKey(file: string): Promise<KeyObject> {
  const present = await readFile(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
  if (!present) await makeKeyFile(file);
  return loadMasterKey(file);
}

function keyBytes(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}

async function makeKeyFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A link is atomic and never replaces the key of a process that was faster.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncFolder(dirname(file));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Without it a power failure may lose the file name, and with it everything that the key wrapped. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
