import { Poller, type Logger } from '@opendsr-service/service';
import type { StartWorker } from './start.worker';

/** Looks when a request starts that this process admitted, and when a stored one does. */
export const startPoller = (start: StartWorker, intervalMs: number, log: Logger): Poller =>
  new Poller({
    name: 'start',
    intervalMs,
    wokenBy: start.signal,
    run: () => start.runOnce(),
    dueInMs: () => start.dueInMs(),
    log,
  });
