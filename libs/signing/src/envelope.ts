import type { Signer } from './signer';

/** A DSSE envelope as it is read: what was signed, and by which signatures. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signatures: readonly EnvelopeSignature[];
}

/** `certificatePem`: the chain of the signer, leaf first; not part of DSSE, whose readers skip it. */
export interface EnvelopeSignature {
  readonly signature: string;
  readonly certificatePem: string | undefined;
}

/** Ours have one. Each that is read costs the search for a chain. */
export const MAX_SIGNATURES = 8;

/** The bytes that a DSSE signature is over: the type and the payload, each after its length (PAE). */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.byteLength} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** The bytes of the DSSE envelope, signed, with the chain inside. `keyid`: SHA-256 of the leaf, hex. */
export async function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  signer: Pick<Signer, 'sign' | 'fingerprint' | 'certificatePem'>,
): Promise<Buffer> {
  // Read before the wait: a signer that is renewed meanwhile has other ones.
  const { fingerprint: keyid, certificatePem: cert } = signer;
  const sig = await signer.sign(preAuthEncoding(payloadType, payload));
  return Buffer.from(
    JSON.stringify({
      payloadType,
      payload: Buffer.from(payload).toString('base64'),
      signatures: [{ keyid, sig, cert }],
    }),
  );
}

/** Reads an envelope, and verifies nothing. Undefined where it is none, or has more than `MAX_SIGNATURES`. */
export function readEnvelope(parsed: unknown): Envelope | undefined {
  const { payloadType, payload, signatures } = (parsed ?? {}) as Record<string, unknown>;
  if (typeof payloadType !== 'string' || typeof payload !== 'string' || !Array.isArray(signatures)) return undefined;
  if (signatures.length > MAX_SIGNATURES) return undefined;
  const read = signatures.map(readSignature);
  if (!read.every((signature) => signature !== undefined)) return undefined;
  return { payloadType, payload: Buffer.from(payload, 'base64'), signatures: read };
}

function readSignature(entry: unknown): EnvelopeSignature | undefined {
  const { sig, cert } = (entry ?? {}) as Record<string, unknown>;
  if (typeof sig !== 'string') return undefined;
  return { signature: sig, certificatePem: typeof cert === 'string' ? cert : undefined };
}
