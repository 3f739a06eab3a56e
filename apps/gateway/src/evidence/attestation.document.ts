import { createHash } from 'node:crypto';
import {
  leafId,
  readAttestation,
  requestKey,
  type AttestationStatement,
  type StatementFault,
} from '@opendsr-service/contracts';
import { readEnvelope } from '@opendsr-service/signing';

/** What was said of a request that has ended, as it is served. It holds nothing personal, so it is not sealed. */
export interface AttestationDocument {
  /** Of the request and the statement, so that each is said once, for ever. */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  readonly statement: number;
  /** The DSSE envelope, byte for byte. */
  readonly envelope: string;
  /** SHA-256 of the envelope, base64url; that of its leaf in the transparency log. */
  readonly digest: string;
  /** When it was signed. */
  readonly at: Date;
  /** The generation of the destroyed keys, until a second statement says that it is gone. */
  readonly generation?: number;
  /** From when on the second statement may be claimed. */
  readonly secondAt?: Date;
  readonly token?: string;
}

/** Names a statement. */
export type Said = Pick<AttestationDocument, 'ws' | 'srid' | 'statement'>;

export const attestationId = ({ ws, srid, statement }: Said): string =>
  statement === 1 ? requestKey(ws, srid) : `${requestKey(ws, srid)}|${statement}`;

/** What names its leaf. */
export const leafOf = ({ ws, srid, statement }: Said) => ({ ws, kind: 'attestation', of: [srid, statement] }) as const;

export const attestationLeafId = (said: Said): string => leafId(leafOf(said));

/** The `digest` of an envelope. */
export const digestOfEnvelope = (envelope: Buffer | string): string =>
  createHash('sha256').update(envelope).digest('base64url');

/** What an envelope says, or why it says nothing; no signature is verified. */
export const readStatement = (envelope: string): AttestationStatement | StatementFault =>
  readAttestation(payloadOf(envelope));

function payloadOf(envelope: string): Uint8Array {
  try {
    return readEnvelope(JSON.parse(envelope))?.payload ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}
