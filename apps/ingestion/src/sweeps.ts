import type { Clock } from '@opendsr-service/service';
import type { IdentityLocks } from './identities/identity-locks.store';
import type { SignaturesStore } from './intake/signatures.store';
import type { SourceRequestsStore } from './profiles/source-requests.store';

const PAGE = 500;

interface Swept {
  readonly locks: IdentityLocks;
  readonly sourceRequests: SourceRequestsStore;
  readonly signatures: SignaturesStore;
}

/** Removes a page of expired documents of each kind. Returns their number. */
export async function sweepOnce(
  { locks, sourceRequests, signatures }: Swept,
  clock: Clock,
  sourceRequestKeepMs: number,
): Promise<number> {
  const now = clock.now();
  const swept = [
    await locks.sweep(now, PAGE),
    await signatures.sweep(now, PAGE),
    await sourceRequests.sweep(new Date(now.getTime() - sourceRequestKeepMs), PAGE),
  ];
  return swept.reduce((sum, count) => sum + count, 0);
}
