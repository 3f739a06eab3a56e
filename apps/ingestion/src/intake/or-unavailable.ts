import { unavailable } from '@opendsr-service/edge';
import { PublishRefused, PublishTimeout } from '@opendsr-service/messaging';
import { isStorageUnavailable } from '@opendsr-service/storage';
import { IdentitiesBusy } from '../identities/subject';

const RETRY_AFTER_SECONDS = 1;

/** Runs the work of a call; what is only away for a while becomes a 503 that says when to come again. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isAway = error instanceof PublishTimeout || error instanceof PublishRefused || error instanceof IdentitiesBusy || isStorageUnavailable(error);
    throw isAway ? unavailable(RETRY_AFTER_SECONDS) : error;
  }
}
