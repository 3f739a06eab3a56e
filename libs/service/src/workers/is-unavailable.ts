import { isLogAway } from '@opendsr-service/messaging';
import { isStorageUnavailable } from '@opendsr-service/storage';

/** A cause may lead back to its error. */
const MOST_CAUSES = 6;

/** Kinds of a VaultError: until an operator acts, no key that they concern opens. */
const NO_KEYS: readonly unknown[] = ['key-service', 'generation-files', 'generation-lost'];

/** By its name, because most services have no key service. Checks causes too. */
const isKeysAway = (error: unknown, depth = MOST_CAUSES): boolean =>
  depth > 0 &&
  error instanceof Error &&
  (error.name === 'KeyServiceAway' ||
    (error.name === 'VaultError' && 'kind' in error && NO_KEYS.includes(error.kind)) ||
    isKeysAway(error.cause, depth - 1));

/**
 * Whether a store, or the place of the keys, is away or refuses: not the fault of what was being handled, so nothing is
 * parked for it.
 */
export const isInfrastructureError = (error: unknown): boolean => isStorageUnavailable(error) || isKeysAway(error);

/** Whether that or the event log is away, so that the same call can succeed later. What the log refuses for good is none. */
export const isUnavailable = (error: unknown): boolean => isLogAway(error) || isInfrastructureError(error);
