import type { Clock } from '@opendsr-service/runtime';
import type { IdentityLocks } from './identities/identity-locks.store';
import type { SourceRequestsStore } from './profiles/source-requests.store';

const PAGE = 500;

/** Removes what has had its time, a page at once; answers how much that was. */
export async function sweepOnce(stores: { readonly locks: IdentityLocks; readonly sourceRequests: SourceRequestsStore }, clock: Clock, sourceRequestKeepMs: number): Promise<number> {
  const now = clock.now();
  const locks = await stores.locks.sweep(now, PAGE);
  return locks + (await stores.sourceRequests.sweep(new Date(now.getTime() - sourceRequestKeepMs), PAGE));
}
