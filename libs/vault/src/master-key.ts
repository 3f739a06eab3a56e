import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { ensurePrivateFile, keyFileText } from './private-file';
import { VaultError } from './vault-error';

const KEY_BYTES = 32;
const FORM = '32 bytes as base64 or as 64 hexadecimal digits';

/** Throws a VaultError `master-key-file` that names the file but never its content. */
export async function loadMasterKey(file: string): Promise<KeyObject> {
  const bytes = keyBytes(await keyFileText('master', file));
  if (!bytes)
    throw new VaultError('master-key-file', `the master key file ${file} does not hold a key: expected ${FORM}`);
  return createSecretKey(bytes);
}

/** For the sandbox: creates the file (0600) if it does not exist. Concurrent processes agree on one key. */
export async function ensureMasterKey(file: string): Promise<KeyObject> {
  await ensurePrivateFile(file, () => `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  return loadMasterKey(file);
}

function keyBytes(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
