import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { evidenceLeaf, type LeafKind } from '@opendsr-service/contracts';

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const leafKey = createSecretKey(randomBytes(32));

/** The vault of a transparency log. */
export const leafVault = {
  leafKey,
  index: (ws: string) => Promise.resolve({ hash: (...parts: string[]) => digestOf([ws, ...parts].join('|')) }),
};

/** When each leaf is of. */
export const LEAF_AT = '2026-11-21T09:00:00.000Z';

/** The record of a leaf. */
export const leafRecord = (n: number | string, kind: LeafKind = 'receipt', key = leafKey) =>
  evidenceLeaf({ ws: 'acme', kind, of: [n], digest: digestOf(String(n)), at: LEAF_AT }, key);
