import { withDeadline } from '@opendsr-service/contracts';

/** Settles as `work` does, or rejects with what `late` returns after `deadlineMs` milliseconds. */
export const rejectAfter = <T>(work: Promise<T>, deadlineMs: number, late: () => Error): Promise<T> =>
  withDeadline(work, deadlineMs, () => {
    throw late();
  });
