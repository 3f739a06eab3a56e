import type { NoteVerifier } from './keys';
import { readNote, signatureOf, type NoteSignature } from './note';

/** A checkpoint as a log offers it to a witness (C2SP tlog-witness, `add-checkpoint`). */
export interface Offer {
  /** The size that the witness cosigned last; 0 where it is not known, or there was none. */
  readonly oldSize: number;
  /** Proves that the tree of that size is a prefix; empty for 0. */
  readonly proof: readonly Buffer[];
  /** The signed checkpoint. */
  readonly note: string;
}

/** The body of the call. */
export const offerText = ({ oldSize, proof, note }: Offer): string =>
  [`old ${oldSize}`, ...proof.map((hash) => hash.toString('base64')), '', note].join('\n');

/** The cosignature of this witness, verified, in its answer to an offer of this text. Undefined where there is none. */
export const cosignatureIn = (answer: string, text: string, witness: NoteVerifier): NoteSignature | undefined => {
  const note = readNote(`${text}\n${answer}`);
  return note?.text === text ? signatureOf(note, witness) : undefined;
};
