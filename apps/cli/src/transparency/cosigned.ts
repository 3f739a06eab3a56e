import { cosignedAt, readNote, signatureOf, type NoteVerifier } from '@opendsr-service/transparency';
import { UsageError } from '../options';

/** The witnesses that are asked for, and how many of them must have cosigned. */
export interface Wanted {
  readonly witnesses: readonly NoteVerifier[];
  readonly needed: number;
}

/** Throws a UsageError where fewer are named than needed. */
export function wantedWitnesses(witnesses: readonly NoteVerifier[], needed = 0): Wanted {
  if (needed > witnesses.length) throw new UsageError(`--require-witnesses: only ${witnesses.length} are named`);
  return { witnesses, needed };
}

/** Which witnesses have cosigned a checkpoint, and when they say that they saw it. */
export interface Cosigned {
  readonly cosigned: readonly { readonly witness: string; readonly at: Date }[];
  readonly notCosigned: readonly string[];
}

export function cosignaturesOf(checkpoint: string, { witnesses }: Wanted): Cosigned {
  const note = readNote(checkpoint);
  const found = witnesses.map((witness) => ({ witness, signature: note && signatureOf(note, witness)?.signature }));
  return {
    cosigned: found.flatMap(({ witness: { name }, signature }) =>
      signature ? [{ witness: name, at: cosignedAt(signature) }] : [],
    ),
    notCosigned: found.flatMap(({ witness: { name }, signature }) => (signature ? [] : [name])),
  };
}

export const hasEnough = ({ cosigned }: Cosigned, { needed }: Wanted): boolean => cosigned.length >= needed;

/** For machines: nothing where no witness is asked for. */
export const shown = (found: Cosigned, { witnesses }: Wanted): Partial<Cosigned> => (witnesses.length > 0 ? found : {});

export const witnessLines = (found: Cosigned, wanted: Wanted): string[] => [
  ...found.cosigned.map(({ witness, at }) => `cosigned by ${witness}, which saw it at ${at.toISOString()}`),
  ...found.notCosigned.map((witness) => `NOT cosigned by ${witness}`),
  ...(hasEnough(found, wanted)
    ? []
    : [`the checkpoint has ${found.cosigned.length} of the ${wanted.needed} cosignatures that are required`]),
];
