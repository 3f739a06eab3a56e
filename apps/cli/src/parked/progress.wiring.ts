import { setTimeout as sleep } from 'node:timers/promises';
import type { RedriveCall, Redriven } from '@opendsr-service/messaging';
import type { Terminal } from '../command';

const POLL_MS = 250;

type Progress = Redriven & { readonly behind: Redriven };

/** Polls until no record waits, or until the deadline. */
export async function settled(
  calls: readonly RedriveCall[],
  deadlineMs: number,
  { now }: Pick<Terminal, 'now'>,
): Promise<Progress> {
  for (;;) {
    const all = await Promise.all(calls.map((call) => call.progress()));
    const progress = { ...sum(all), behind: sum(all.map(({ behind }) => behind)) };
    if (progress.waiting + progress.behind.waiting === 0 || now().getTime() >= deadlineMs) return progress;
    await sleep(POLL_MS);
  }
}

const sum = (all: readonly Redriven[]): Redriven => ({
  waiting: all.reduce((total, { waiting }) => total + waiting, 0),
  parkedAgain: all.reduce((total, { parkedAgain }) => total + parkedAgain, 0),
});
