import { setTimeout as sleep } from 'node:timers/promises';
import type { Redriven } from '@opendsr-service/messaging';
import type { Terminal } from '../command';
import type { Lot } from './parked.module';

const LOOK_MS = 250;

/** What became of what was marked, so far. */
type Progress = Redriven & { readonly behind: Redriven };

interface Waiting {
  readonly lots: readonly Lot[];
  readonly run: string;
  readonly untilMs: number;
  readonly terminal: Terminal;
}

/** How far it came when nothing waits any more, or when the time is over. */
export async function settled({ lots, run, untilMs, terminal }: Waiting): Promise<Progress> {
  for (;;) {
    const all = await Promise.all(lots.map(({ admin, groups }) => admin.progress(groups, run)));
    const progress = { ...sum(all), behind: sum(all.map(({ behind }) => behind)) };
    if (progress.waiting + progress.behind.waiting === 0 || terminal.now().getTime() >= untilMs) return progress;
    await sleep(LOOK_MS);
  }
}

const sum = (all: readonly Redriven[]): Redriven => ({
  waiting: all.reduce((so, { waiting }) => so + waiting, 0),
  parkedAgain: all.reduce((so, { parkedAgain }) => so + parkedAgain, 0),
});
