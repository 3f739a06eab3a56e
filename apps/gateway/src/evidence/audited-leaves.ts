import { createHash, type KeyObject } from 'node:crypto';
import { evidenceLeaf, leafId, NO_WORKSPACE, type EncodedMessage, type LeafKind } from '@opendsr-service/contracts';

/** The actions by which an operator is shown whom a request is about. */
export const REVEALS = ['identities-shown', 'identities-revealed'] as const;

interface Entry {
  readonly ws: string;
  readonly srid: string;
  readonly by: string;
  readonly at: Date;
}

/** An operator's wish to drop a parked record. */
export interface DropEntry extends Entry {
  readonly action: 'parked-drop-asked';
  readonly record: string;
  readonly because: string;
}

/** That an operator is shown whom a request is about: by `dsr`, or by the API, which notes role and reason as well. */
export interface RevealEntry extends Entry {
  readonly action: (typeof REVEALS)[number];
  readonly role?: string;
  /** Sealed under the key of the request. */
  readonly reason?: string;
  /** Who approved it. */
  readonly approvedBy?: string;
}

/** An entry of the audit trail that has a leaf. */
export type EntryWithLeaf = DropEntry | RevealEntry;

/** The kinds of leaves, by the actions of the entries that have one. */
const KINDS: Readonly<Record<EntryWithLeaf['action'], LeafKind>> = {
  'parked-drop-asked': 'parked-drop',
  'identities-shown': 'identity-reveal',
  'identities-revealed': 'identity-reveal',
};

/** The actions of the entries that have a leaf. */
export const ACTIONS_WITH_LEAF = Object.keys(KINDS) as readonly EntryWithLeaf['action'][];

/** Whether entries of this action have a leaf. */
export const hasLeaf = (action: string): action is EntryWithLeaf['action'] => Object.hasOwn(KINDS, action);

const addressOf = (id: string, { ws, action }: Pick<EntryWithLeaf, 'ws' | 'action'>) => ({
  ws: ws === '' ? NO_WORKSPACE : ws,
  kind: KINDS[action],
  of: [id],
});

/** The id of the leaf of an entry with this id. */
export const auditedLeafId = (id: string, entry: Pick<EntryWithLeaf, 'ws' | 'action'>): string =>
  leafId(addressOf(id, entry));

/** The leaf of an entry with this id. `key` signs it. */
export const auditedLeaf = (id: string, entry: EntryWithLeaf, key: KeyObject): EncodedMessage =>
  evidenceLeaf(
    {
      ...addressOf(id, entry),
      digest: entry.action === 'parked-drop-asked' ? dropDigest(id, entry) : revealDigest(id, entry),
      at: entry.at.toISOString(),
    },
    key,
  );

/** SHA-256, base64url. The id of an entry is random, so nobody can guess what it says. */
const digestOf = (said: object): string => createHash('sha256').update(JSON.stringify(said)).digest('base64url');

export const dropDigest = (id: string, { ws, srid, action, record, by, because, at }: DropEntry): string =>
  digestOf({ id, ws, srid, action, record, by, because, at: at.toISOString() });

export const revealDigest = (id: string, { ws, srid, action, by, role, reason, approvedBy, at }: RevealEntry): string =>
  digestOf({ id, ws, srid, action, by, role, reason, approvedBy, at: at.toISOString() });
