import type { AttestationVector } from './attestation-vector';
import { PAYLOAD } from './attestation-world';

/** A vector in short. */
export interface AttestationCase {
  readonly description: string;
  readonly file: Buffer;
  readonly failed?: AttestationVector['expected']['failed'];
  /** Default: the key of the log, where the file is a bundle. */
  readonly logKey?: string | undefined;
  readonly witnessKeys?: readonly string[];
  readonly domains?: readonly string[];
  readonly now?: Date;
}
export type AttestationCases = Readonly<Record<string, AttestationCase>>;

export const withStatement = (change: object): Buffer =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(PAYLOAD.toString()) as object), ...change }));

export const withEnvelope = (envelope: Buffer, change: object): Buffer =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(envelope.toString()) as object), ...change }));

export const signatureIn = (envelope: Buffer) =>
  (JSON.parse(envelope.toString()) as { signatures: [{ keyid: string; sig: string; cert: string }] }).signatures[0];

export const flipped = (bytes: Uint8Array, at = 0): Buffer =>
  Buffer.from(bytes.map((byte, n) => (n === at ? byte ^ 1 : byte)));
