import { PublishRefused, PublishTimeout } from '@opendsr-service/messaging';
import { isStorageUnavailable } from '@opendsr-service/storage';

/** Refusals of the log that say something about the record, not about the log. */
const ABOUT_THE_RECORD: ReadonlySet<string> = new Set(['too-large', 'rejected']);

/** Whether an error means that a store or the log is away, so that a record is kept and tried again for ever (D6). */
export const isInfrastructureError = (error: unknown): boolean =>
  isStorageUnavailable(error) || error instanceof PublishTimeout || (error instanceof PublishRefused && !ABOUT_THE_RECORD.has(error.reason));
