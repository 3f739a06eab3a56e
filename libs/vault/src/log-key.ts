import { randomBytes } from 'node:crypto';
import { NoteKeyError, noteSigner, privateKeyText, type NoteSigner } from '@opendsr-service/transparency';
import { ensurePrivateFile, keyFileText } from './private-file';
import { VaultError } from './vault-error';

const SEED_BYTES = 32;

/** The key that signs the checkpoints of the transparency log. Throws a VaultError `log-key-file` that shows nothing of the file. */
export async function loadLogKey(file: string): Promise<NoteSigner> {
  const text = await keyFileText('log', file);
  try {
    return noteSigner(text);
  } catch (error) {
    if (error instanceof NoteKeyError)
      throw new VaultError('log-key-file', `the log key file ${file} does not hold a key: ${error.message}`);
    throw error;
  }
}

/** The name of the log of a processor domain. It is part of the key, and of each checkpoint. */
export const logName = (processorDomain: string): string => `${processorDomain}/transparency`;

/** For trials and `dsr secrets make`: creates the file (0600) with a new key of this log if it does not exist. */
export async function ensureLogKey(file: string, name: string): Promise<NoteSigner> {
  await ensurePrivateFile(file, () => `${privateKeyText(name, randomBytes(SEED_BYTES))}\n`);
  return loadLogKey(file);
}
