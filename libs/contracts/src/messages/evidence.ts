import type { JSONSchema } from 'json-schema-to-ts';
import { digest, message, text, time, uuid, type Shape } from './schema';

/** What a leaf of the transparency log is about. Auditors skip kinds that they do not know. */
export type LeafKind = 'receipt' | 'waiver' | 'parked-drop' | 'attestation' | 'extension' | 'identity-reveal';

/** A leaf to be logged. `digest`: SHA-256 of the document, base64url. `dueAt`: by when the request should end. */
export interface NewLeaf {
  readonly ws: string;
  readonly kind: LeafKind;
  /** Names the document within workspace and kind. */
  readonly of: readonly (string | number)[];
  readonly digest: string;
  readonly at: string;
  readonly dueAt?: string;
  readonly attestation?: LeafAdded['attestation'];
}

/**
 * The attestation whose leaf it is. The topic keeps it for ever, so that a database that is restored from an older copy gets
 * back what was signed, and signs no second one (decision 27). `generation`: that of the keys whose end a second one will state.
 */
const attestation = {
  type: 'object',
  properties: {
    srid: uuid,
    statement: { type: 'integer', minimum: 1 },
    envelope: text,
    generation: { type: 'integer', minimum: 0 },
  },
  required: ['srid', 'statement', 'envelope'],
} as const satisfies JSONSchema;

/** It holds no personal data. */
export const EVIDENCE_LEAF_SCHEMAS = {
  LeafAdded: message('LeafAdded', { id: uuid, ws: text, at: time, kind: text, digest, dueAt: time, attestation }, [
    'id',
    'ws',
    'at',
    'kind',
    'digest',
  ]),
} as const;

export type LeafAdded = Shape<typeof EVIDENCE_LEAF_SCHEMAS.LeafAdded>;

/** The workspace of what belongs to no workspace. */
export const NO_WORKSPACE = '-';

/** The last checkpoint that was signed, written before anyone sees it (decision 25). */
export const CHECKPOINT_SCHEMAS = {
  CheckpointSigned: message('CheckpointSigned', { id: uuid, ws: text, at: time, origin: text, note: text }, [
    'id',
    'ws',
    'at',
    'origin',
    'note',
  ]),
} as const;

export type CheckpointSigned = Shape<typeof CHECKPOINT_SCHEMAS.CheckpointSigned>;
