import type { CredentialDocument } from './workspace-documents';

export type KeyState = 'active' | 'expired' | 'revoked';

/** A revoked key stays revoked, whatever the clock of this process shows. */
export function stateOf(
  { expiresAt, revokedAt }: Pick<CredentialDocument, 'expiresAt' | 'revokedAt'>,
  nowMs: number,
): KeyState {
  if (revokedAt) return 'revoked';
  return expiresAt && nowMs >= expiresAt.getTime() ? 'expired' : 'active';
}

export const activeKeysOf = (ws: string, now: Date) => ({
  ws,
  revokedAt: { $exists: false },
  $or: [{ expiresAt: { $exists: false } }, { expiresAt: { $gt: now } }],
});

export const endedKeysOf = (ws: string, now: Date) => ({
  ws,
  $or: [{ revokedAt: { $exists: true } }, { expiresAt: { $lte: now } }],
});
