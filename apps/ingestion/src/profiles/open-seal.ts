import type { Verdict } from '@opendsr-service/messaging';
import { VaultError, type DataKey, type SealContext } from '@opendsr-service/vault';

/** The answer to a record whose seal no key opens, now or later; what comes after it need not wait for it. */
export const SEAL_BROKEN: Verdict = { park: 'seal-broken', aside: true };

/** What is sealed there; undefined where the seal was altered, or belongs elsewhere. */
export function openSeal(key: DataKey, place: SealContext, sealed: string): Buffer | undefined {
  try {
    return key.open(place, sealed);
  } catch (error) {
    if (error instanceof VaultError && error.kind === 'seal-broken') return undefined;
    throw error;
  }
}
