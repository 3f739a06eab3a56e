import { NoteKeyError, witnessVerifier, type NoteVerifier } from '@opendsr-service/transparency';
import { isPlainAddress, list } from './parsers';
import type { Values } from './setting';

/** A witness of the transparency log: what checks its cosignatures, and where it takes checkpoints. */
export interface Witness {
  readonly verifier: NoteVerifier;
  /** The submission prefix of C2SP tlog-witness, without a slash at its end. */
  readonly url: string;
}

/** Who cosigns the checkpoints of the transparency log. */
export const witnessSettings = {
  TRANSPARENCY_WITNESSES: list(
    {
      meaning:
        'Witnesses that each checkpoint of the transparency log is offered to (C2SP tlog-witness); their ' +
        'cosignatures stand in it. The operator names them, so no rule of callbacks applies to their addresses.',
    },
    (item) => witnessOf(item) !== undefined,
    'the verifier key of a witness (cosignature/v1), a space, and its http(s) address',
  ),
} as const;

function witnessOf(item: string): Witness | undefined {
  const [key = '', url = '', ...rest] = item.split(/\s+/);
  if (rest.length > 0 || !isPlainAddress(url)) return undefined;
  try {
    return { verifier: witnessVerifier(key), url: url.replace(/\/+$/, '') };
  } catch (error) {
    if (error instanceof NoteKeyError) return undefined;
    throw error;
  }
}

type WitnessValues = Values<typeof witnessSettings>;

/** The configured witnesses. */
export const witnessesOf = ({ TRANSPARENCY_WITNESSES }: WitnessValues): readonly Witness[] =>
  TRANSPARENCY_WITNESSES.map(witnessOf).filter((witness) => witness !== undefined);

/** Faults of the list: metrics and documents know a witness by its name. */
export function checkWitnesses(values: WitnessValues): string[] {
  const names = witnessesOf(values).map(({ verifier }) => verifier.name);
  return new Set(names).size === names.length ? [] : ['TRANSPARENCY_WITNESSES: must name each witness once'];
}
