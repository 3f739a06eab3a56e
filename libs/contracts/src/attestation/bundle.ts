/** The media type of an envelope (DSSE). */
export const ENVELOPE_MEDIA_TYPE = 'application/vnd.dsse.envelope.v1+json';
/** The media type of a bundle. */
export const BUNDLE_MEDIA_TYPE = 'application/vnd.opendsr-service.attestation-bundle.v1+json';

/** An attestation with the proof that it is in the log. Everything to verify it offline but the keys that the verifier trusts. */
export interface AttestationBundle {
  readonly schema: 1;
  /** The bytes of the envelope as they were signed and logged, base64. */
  readonly envelope: string;
  readonly leaf: {
    readonly index: number;
    /** The bytes of the entry of the log, base64. */
    readonly entry: string;
  };
  /** Proof of inclusion of the leaf in the checkpoint, in the order of RFC 6962, base64. */
  readonly inclusion: readonly string[];
  /** The signed note, with all its signatures. */
  readonly checkpoint: string;
}

/** The parts of a bundle, as bytes. */
export interface BundleParts {
  readonly envelope: Uint8Array;
  readonly index: number;
  readonly entry: Uint8Array;
  readonly inclusion: readonly Uint8Array[];
  readonly checkpoint: string;
}

/** The text of a bundle. */
export const bundleText = ({ envelope, index, entry, inclusion, checkpoint }: BundleParts): string =>
  JSON.stringify({
    schema: 1,
    envelope: base64(envelope),
    leaf: { index, entry: base64(entry) },
    inclusion: inclusion.map(base64),
    checkpoint,
  } satisfies AttestationBundle);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Reads a parsed bundle, and verifies nothing. Undefined where it is none. `bytesOf`: strict base64; browsers have no `Buffer`. */
export function readBundle(
  parsed: unknown,
  bytesOf: (text: unknown) => Uint8Array | undefined = bytesOfBase64,
): BundleParts | undefined {
  const { schema, envelope, leaf, inclusion, checkpoint } = unread<AttestationBundle>(parsed);
  const { index, entry } = unread<AttestationBundle['leaf']>(leaf);
  const [envelopeBytes, entryBytes] = [bytesOf(envelope), bytesOf(entry)];
  const hashes = Array.isArray(inclusion) ? inclusion.map(bytesOf) : [undefined];
  if (schema !== 1 || typeof checkpoint !== 'string' || !Number.isSafeInteger(index)) return undefined;
  if (!envelopeBytes || !entryBytes || !hashes.every((hash) => hash !== undefined)) return undefined;
  return { envelope: envelopeBytes, index: index as number, entry: entryBytes, inclusion: hashes, checkpoint };
}

const unread = <T>(value: unknown): { readonly [K in keyof T]?: unknown } => value ?? {};

function bytesOfBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
