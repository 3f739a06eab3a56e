import type { Clock } from '../clock';

/** Milliseconds until the next of some stored due times, for a Poller. Undefined: none is stored. */
export async function dueInMs(
  clock: Clock,
  nextDueAfter: (now: Date) => Promise<Date | undefined>,
): Promise<number | undefined> {
  const now = clock.now();
  const due = await nextDueAfter(now);
  return due && due.getTime() - now.getTime();
}
