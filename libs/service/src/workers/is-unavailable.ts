import { PublishRefused, PublishTimeout } from '@opendsr-service/messaging';
import { isStorageUnavailable } from '@opendsr-service/storage';

/** Whether an error means that a store or the log is away for a while, so that the same call may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof PublishTimeout || error instanceof PublishRefused || isStorageUnavailable(error);
