import { join } from 'node:path';
import { logKeySettings, publicUrlSettings, storeSettings } from '@opendsr-service/config';
import { NoteKeyError, noteVerifier, type NoteVerifier } from '@opendsr-service/transparency';
import { loadLogKey } from '@opendsr-service/vault';
import type { Terminal } from '../command';
import { UsageError } from '../options';

const table = { DATA_DIR: storeSettings.DATA_DIR, ...logKeySettings };
const addresses = { PUBLIC_URL_V2: publicUrlSettings.PUBLIC_URL_V2 };

/** The verifier key of this installation, from the configured private key or the sandbox's. */
export async function ownVerifierKey({ settings }: Pick<Terminal, 'settings'>): Promise<string> {
  const values = settings(table);
  const file = values.TRANSPARENCY_KEY_FILE ?? join(values.DATA_DIR, 'keys', 'transparency.key');
  return (await loadLogKey(file)).verifierKey;
}

export const publicUrl = ({ settings }: Pick<Terminal, 'settings'>): string => settings(addresses).PUBLIC_URL_V2;

/** Throws a UsageError that shows nothing of the text. */
export function verifierKey(text: string): NoteVerifier {
  try {
    return noteVerifier(text);
  } catch (error) {
    if (error instanceof NoteKeyError)
      throw new UsageError('must be a verifier key, such as dsr transparency key prints');
    throw error;
  }
}
