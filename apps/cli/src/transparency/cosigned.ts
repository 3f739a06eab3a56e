import { cosignedAt, signatureOf, type Note, type NoteVerifier } from '@opendsr-service/transparency';

/** Which of these witnesses have cosigned a checkpoint, and when they say that they saw it. */
export interface Cosigned {
  readonly cosigned: readonly { readonly witness: string; readonly at: Date }[];
  readonly notCosigned: readonly string[];
}

export function cosignedBy(note: Note | undefined, witnesses: readonly NoteVerifier[]): Cosigned {
  const found = witnesses.map((witness) => ({ witness, signature: note && signatureOf(note, witness)?.signature }));
  return {
    cosigned: found.flatMap(({ witness: { name }, signature }) =>
      signature ? [{ witness: name, at: cosignedAt(signature) }] : [],
    ),
    notCosigned: found.flatMap(({ witness: { name }, signature }) => (signature ? [] : [name])),
  };
}

export const cosignedLines = ({ cosigned, notCosigned }: Cosigned): string[] => [
  ...cosigned.map(({ witness, at }) => `cosigned by ${witness}, which saw it at ${at.toISOString()}`),
  ...notCosigned.map((witness) => `NOT cosigned by ${witness}`),
];
