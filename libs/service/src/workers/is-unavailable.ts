import { PublishRefused, PublishTimeout } from '@opendsr-service/messaging';
import { isStorageUnavailable } from '@opendsr-service/storage';

/** Whether a store or the event log is away, so that the same call may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof PublishTimeout || error instanceof PublishRefused || isStorageUnavailable(error);
