import { concat, fromBase64, utf8, type Bytes } from './bytes';

/** A DSSE envelope, of which nothing is verified. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Bytes;
  readonly signatures: readonly EnvelopeSignature[];
}

export interface EnvelopeSignature {
  readonly signature: string;
  /** The chain of the signer, leaf first; empty where the envelope has none. */
  readonly certificatePem: string;
}

/** Each costs the search for a chain. */
const MAX_SIGNATURES = 8;

/** Undefined where it is none, or has too many signatures. */
export function readEnvelope(parsed: unknown): Envelope | undefined {
  const { payloadType, payload, signatures } = (parsed ?? {}) as Record<string, unknown>;
  const bytes = fromBase64(payload);
  if (typeof payloadType !== 'string' || !bytes || !Array.isArray(signatures)) return undefined;
  if (signatures.length > MAX_SIGNATURES) return undefined;
  const read = signatures.map(readSignature);
  return read.every((one) => one !== undefined) ? { payloadType, payload: bytes, signatures: read } : undefined;
}

function readSignature(entry: unknown): EnvelopeSignature | undefined {
  const { sig, cert } = (entry ?? {}) as Record<string, unknown>;
  if (typeof sig !== 'string') return undefined;
  return { signature: sig, certificatePem: typeof cert === 'string' ? cert : '' };
}

/** The bytes that a signature is over: the type and the payload, each after its length (PAE). */
export function preAuthEncoding({ payloadType, payload }: Envelope): Bytes {
  const head = `DSSEv1 ${utf8(payloadType).length} ${payloadType} ${payload.length} `;
  return concat(utf8(head), payload);
}
