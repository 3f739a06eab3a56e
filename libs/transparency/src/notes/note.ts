import type { NoteSigner, NoteVerifier } from './keys';

/** One signature line of a note. */
export interface NoteSignature {
  readonly name: string;
  readonly id: Buffer;
  readonly signature: Buffer;
}

/** A text, which ends in a newline, with the signatures below it (C2SP signed-note). */
export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const ID_BYTES = 4;
const LINE = /^\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})$/u;
const MAX_SIGNATURES = 100;

/** A signature as it stands below the text, with the newline. */
export const signatureLine = ({ name, id, signature }: NoteSignature): string =>
  `\u2014 ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;

export const writeNote = ({ text, signatures }: Note): string => `${text}\n${signatures.map(signatureLine).join('')}`;

/** The text, signed. */
export const signNote = (text: string, signer: NoteSigner): Note => ({
  text,
  signatures: [signatureBy(signer, text)],
});

export const signatureBy = ({ name, id, sign }: NoteSigner, text: string): NoteSignature => ({
  name,
  id,
  signature: sign(text),
});

/** Reads a note and verifies nothing. Undefined where it is none. */
export function readNote(note: string): Note | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .map(readLine);
  if (signatures.length > MAX_SIGNATURES || !signatures.every((one) => one !== undefined)) return undefined;
  return { text: note.slice(0, end + 1), signatures };
}

function readLine(line: string): NoteSignature | undefined {
  const [, name, base64 = ''] = LINE.exec(line) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (name === undefined || bytes.length <= ID_BYTES || bytes.toString('base64') !== base64) return undefined;
  return { name, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) };
}

const isOf =
  ({ name, id }: NoteVerifier) =>
  (signature: NoteSignature): boolean =>
    signature.name === name && signature.id.equals(id);

/** The first signature of this name and key that the verifier accepts. Others of its name count for nothing. */
export const signatureOf = ({ text, signatures }: Note, verifier: NoteVerifier): NoteSignature | undefined =>
  signatures.filter(isOf(verifier)).find(({ signature }) => verifier.isSigned(text, signature));

/** Whether the note has a signature that this verifier accepts, and none under its name and id that it refuses. */
export function isSignedBy({ text, signatures }: Note, verifier: NoteVerifier): boolean {
  const own = signatures.filter(isOf(verifier));
  return own.length > 0 && own.every(({ signature }) => verifier.isSigned(text, signature));
}
