import { HASH_BYTES } from '../merkle/hash';
import type { TreeHead } from '../merkle/verify';
import { isSignedBy, readNote, type Note } from './note';
import type { NoteVerifier } from './keys';

/** A tree head under the name of its log (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  /** The name of the log, also the name of its key. */
  readonly origin: string;
}

const SIZE = /^(0|[1-9]\d{0,15})$/;

const isSize = (text: string): boolean => SIZE.test(text) && Number.isSafeInteger(Number(text));

/** The text that the log signs. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** Reads the text of a checkpoint; undefined where it is none. Extension lines are kept out. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', size = '', base64 = '', ...rest] = text.split('\n');
  const root = Buffer.from(base64, 'base64');
  const isRoot = root.length === HASH_BYTES && root.toString('base64') === base64;
  const hasEnd = rest.at(-1) === '' && rest.slice(0, -1).every((line) => line !== '');
  return origin !== '' && isSize(size) && isRoot && hasEnd ? { origin, size: Number(size), root } : undefined;
}

/** The checkpoint of a signed note, with the note. Undefined where it is none, or not signed by this log. */
export function openCheckpoint(note: string, log: NoteVerifier): (Checkpoint & { readonly note: Note }) | undefined {
  const read = readNote(note);
  const checkpoint = read && readCheckpoint(read.text);
  return checkpoint?.origin === log.name && isSignedBy(read as Note, log)
    ? { ...checkpoint, note: read as Note }
    : undefined;
}
