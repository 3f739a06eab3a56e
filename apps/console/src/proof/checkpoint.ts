import { fromBase64 } from './bytes';
import type { TreeHead } from './inclusion';
import { isSignedBy, readNote, type Note, type NoteKey } from './note';

const SIZE = /^(0|[1-9]\d{0,15})$/;
const HASH_BYTES = 32;

const isSize = (text: string): boolean => SIZE.test(text) && Number.isSafeInteger(Number(text));

/** A tree head, and the note that its log signed (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
  readonly note: Note;
}

function readHead([origin = '', size = '', base64, ...rest]: readonly string[]) {
  const root = fromBase64(base64);
  const hasEnd = rest.at(-1) === '' && rest.slice(0, -1).every((line) => line !== '');
  const isWhole = origin !== '' && isSize(size) && root?.length === HASH_BYTES && hasEnd;
  return isWhole ? { origin, size: Number(size), root } : undefined;
}

/** The checkpoint of a note that this log signed; undefined otherwise. */
export async function openCheckpoint(text: string, log: NoteKey): Promise<Checkpoint | undefined> {
  const note = readNote(text);
  if (!note || !(await isSignedBy(note, log))) return undefined;
  const head = readHead(note.text.split('\n'));
  return head?.origin === log.name ? { ...head, note } : undefined;
}
