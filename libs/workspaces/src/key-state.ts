import type { CredentialDocument } from './workspace-documents';

export type KeyState = 'active' | 'expired' | 'revoked';

/** What an API key is worth now. What was revoked stays so, whatever the clock of the process that asks says. */
export function stateOf(
  { expiresAt, revokedAt }: Pick<CredentialDocument, 'expiresAt' | 'revokedAt'>,
  nowMs: number,
): KeyState {
  if (revokedAt) return 'revoked';
  return expiresAt && nowMs >= expiresAt.getTime() ? 'expired' : 'active';
}

/** The filter of the keys of a workspace whose state is `active`. */
export const activeKeysOf = (ws: string, now: Date) => ({
  ws,
  revokedAt: { $exists: false },
  $or: [{ expiresAt: { $exists: false } }, { expiresAt: { $gt: now } }],
});

/** The filter of all its other keys. */
export const endedKeysOf = (ws: string, now: Date) => ({
  ws,
  $or: [{ revokedAt: { $exists: true } }, { expiresAt: { $lte: now } }],
});
