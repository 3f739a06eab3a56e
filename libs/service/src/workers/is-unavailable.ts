import { isLogAway } from '@opendsr-service/messaging';
import { isStorageUnavailable } from '@opendsr-service/storage';

/** A cause may lead back to its error. */
const MOST_CAUSES = 6;

/** By its name, because most services have no key service. Checks causes too. */
const isKeyServiceAway = (error: unknown, depth = MOST_CAUSES): boolean =>
  depth > 0 && error instanceof Error && (error.name === 'KeyServiceAway' || isKeyServiceAway(error.cause, depth - 1));

/** Whether a store or the key service is away: not the fault of what was being handled, so nothing is parked for it. */
export const isInfrastructureError = (error: unknown): boolean =>
  isStorageUnavailable(error) || isKeyServiceAway(error);

/** Whether that or the event log is away, so that the same call can succeed later. What the log refuses for good is none. */
export const isUnavailable = (error: unknown): boolean => isLogAway(error) || isInfrastructureError(error);
