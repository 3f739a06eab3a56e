import { fromBase64, type Bytes } from './bytes';

/** A bundle, of which nothing is verified (docs/evidence.md, "Fetch it"). */
export interface Bundle {
  readonly envelope: Bytes;
  readonly index: number;
  readonly entry: Bytes;
  readonly inclusion: readonly Bytes[];
  readonly checkpoint: string;
}

/** Undefined where it is none. */
export function readBundle(parsed: unknown): Bundle | undefined {
  const { schema, envelope, leaf, inclusion, checkpoint } = (parsed ?? {}) as Record<string, unknown>;
  const { index, entry } = (leaf ?? {}) as Record<string, unknown>;
  const [envelopeBytes, entryBytes] = [fromBase64(envelope), fromBase64(entry)];
  const hashes = Array.isArray(inclusion) ? inclusion.map(fromBase64) : [undefined];
  if (schema !== 1 || typeof checkpoint !== 'string' || !Number.isSafeInteger(index)) return undefined;
  if (!envelopeBytes || !entryBytes || !hashes.every((hash) => hash !== undefined)) return undefined;
  return { envelope: envelopeBytes, index: index as number, entry: entryBytes, inclusion: hashes, checkpoint };
}
