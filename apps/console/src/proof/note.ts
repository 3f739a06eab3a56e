import { concat, fromBase64, isEqual, sha256, toHex, utf8, type Bytes } from './bytes';

/** A text with the signatures below it (C2SP signed-note). */
export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  readonly id: Uint8Array;
  readonly signature: Bytes;
}

/** A key of a log, or of a witness. */
export interface NoteKey {
  readonly name: string;
  readonly id: Uint8Array;
  readonly isSigned: (text: string, signature: Bytes) => Promise<boolean>;
}

const ID_BYTES = 4;
const KEY_BYTES = 32;
const TIME_BYTES = 8;
const NOTE = 1;
const COSIGNATURE_V1 = 4;
const MAX_SIGNATURES = 100;
const NAME = /^[^\s+]+$/u;
const LINE = /^\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})$/u;

/** Undefined where it is none. Nothing is verified. */
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
  const [, name, base64] = LINE.exec(line) ?? [];
  const bytes = fromBase64(base64);
  if (name === undefined || !bytes || bytes.length <= ID_BYTES) return undefined;
  return { name, id: bytes.subarray(0, ID_BYTES), signature: bytes.slice(ID_BYTES) };
}

/** Reads a verifier key, `name+id+key`; undefined where it is none. */
export async function readKey(text: string): Promise<NoteKey | undefined> {
  const [name = '', idText = '', ...rest] = text.trim().split('+');
  const bytes = fromBase64(rest.join('+'));
  if (!bytes || !NAME.test(name) || bytes.length !== 1 + KEY_BYTES) return undefined;
  const [algorithm = 0] = bytes;
  if (![NOTE, COSIGNATURE_V1].includes(algorithm)) return undefined;
  const id = (await sha256(utf8(`${name}\n`), bytes)).subarray(0, ID_BYTES);
  if (toHex(id) !== idText) return undefined;
  const key = await crypto.subtle.importKey('raw', bytes.slice(1), 'Ed25519', false, ['verify']);
  const verify = (signed: Bytes, signature: Bytes) => crypto.subtle.verify('Ed25519', key, signature, signed);
  const isSigned =
    algorithm === NOTE
      ? (signedText: string, signature: Bytes) => verify(utf8(signedText), signature)
      : (signedText: string, signature: Bytes) => verify(...cosigned(signedText, signature));
  return { name, id, isSigned };
}

/** A cosignature is the time in seconds, then a signature of the text under a head with that time (C2SP tlog-cosignature). */
function cosigned(text: string, signature: Bytes): [signed: Bytes, signature: Bytes] {
  const seconds = signature.length > TIME_BYTES ? new DataView(signature.buffer).getBigUint64(0) : 0n;
  return [concat(utf8(`cosignature/v1\ntime ${seconds}\n`), utf8(text)), signature.slice(TIME_BYTES)];
}

/** Whether the note has a signature that this key accepts, and none under its name and id that it refuses. */
export async function isSignedBy({ text, signatures }: Note, { name, id, isSigned }: NoteKey): Promise<boolean> {
  const own = signatures.filter((one) => one.name === name && isEqual(one.id, id));
  const verdicts = await Promise.all(own.map(({ signature }) => isSigned(text, signature)));
  return own.length > 0 && verdicts.every(Boolean);
}
