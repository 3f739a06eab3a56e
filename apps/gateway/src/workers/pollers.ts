import { Poller, UNSIGNALLED_IDLE_MS, type Logger } from '@opendsr-service/service';
import type { RelayWorker } from './relay.worker';
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

export const relayPoller = (relay: RelayWorker, intervalMs: number, log: Logger): Poller =>
  new Poller({
    name: 'command relay',
    intervalMs,
    longestIdleMs: UNSIGNALLED_IDLE_MS,
    run: () => relay.runOnce(),
    log,
  });
