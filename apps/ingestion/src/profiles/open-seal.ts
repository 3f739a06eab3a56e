import type { Verdict } from '@opendsr-service/messaging';
import { VaultError, type DataKey, type SealContext } from '@opendsr-service/vault';

/** No key will ever open the seal, so later records need not wait. */
export const SEAL_BROKEN: Verdict = { park: 'seal-broken', aside: true };

/** Undefined if the seal was altered or belongs to another context. */
export function openSeal(key: DataKey, context: SealContext, sealed: string): Buffer | undefined {
  try {
    return key.open(context, sealed);
  } catch (error) {
    if (error instanceof VaultError && error.kind === 'seal-broken') return undefined;
    throw error;
  }
}
