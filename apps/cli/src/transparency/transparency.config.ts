import { join } from 'node:path';
import {
  logKeySettings,
  publicUrlSettings,
  storeSettings,
  witnessesOf,
  witnessSettings,
} from '@opendsr-service/config';
import { NoteKeyError, noteVerifier, witnessVerifier, type NoteVerifier } from '@opendsr-service/transparency';
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

/** The witnesses that the log of this installation is offered to. */
export const ownWitnesses = ({ settings }: Pick<Terminal, 'settings'>): readonly NoteVerifier[] =>
  witnessesOf(settings(witnessSettings)).map(({ verifier }) => verifier);

/** Throws a UsageError that shows nothing of the text. */
export const verifierKey = (text: string): NoteVerifier =>
  keyIn(text, noteVerifier, 'must be a verifier key, such as dsr transparency key prints');

const eachOf = (text: string, read: (one: string) => NoteVerifier): readonly NoteVerifier[] =>
  text.split(',').map((one) => read(one.trim()));

/** The same of several, between commas. */
export const verifierKeys = (text: string): readonly NoteVerifier[] => eachOf(text, verifierKey);

/** The same of verifier keys of witnesses, between commas. */
export const witnessKeys = (text: string): readonly NoteVerifier[] =>
  eachOf(text, (one) => keyIn(one, witnessVerifier, 'must be verifier keys of witnesses (cosignature/v1)'));

function keyIn(text: string, read: (text: string) => NoteVerifier, otherwise: string): NoteVerifier {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof NoteKeyError) throw new UsageError(otherwise);
    throw error;
  }
}
