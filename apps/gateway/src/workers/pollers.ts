import { Poller, UNSIGNALLED_IDLE_MS, type Logger } from '@opendsr-service/service';
import type { KeyRotation } from '@opendsr-service/vault';
import type { EndedRequestsWorker } from '../keys/ended-requests.worker';
import type { RelayWorker } from './relay.worker';
import type { StartWorker } from './start.worker';

/** How late a start may be: those that are due within it share their reads and their write. */
export const STARTS_SHARE_MS = 100;

/** Looks when a request starts that this process admitted, and when a stored one does. */
export const startPoller = (
  start: Pick<StartWorker, 'page' | 'signal' | 'runOnce' | 'dueInMs'>,
  intervalMs: number,
  log: Logger,
): Poller =>
  new Poller({
    name: 'start',
    intervalMs,
    wokenBy: start.signal,
    run: () => start.runOnce(),
    dueInMs: async () => {
      const inMs = await start.dueInMs();
      return inMs === undefined ? undefined : Math.max(inMs, STARTS_SHARE_MS);
    },
    fullPage: start.page,
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

export const endedRequestsPoller = (
  ended: Pick<EndedRequestsWorker, 'page' | 'runOnce'>,
  intervalMs: number,
  log: Logger,
): Poller => new Poller({ name: 'ended requests', intervalMs, run: () => ended.runOnce(), fullPage: ended.page, log });

/** What makes and ends generations of keys, where there are any. */
export const rotationPollers = (rotation: KeyRotation | undefined, intervalMs: number, log: Logger): Poller[] =>
  rotation
    ? [
        new Poller({
          name: 'key rotation',
          intervalMs,
          run: () => rotation.runOnce(),
          dueInMs: () => rotation.dueInMs(),
          log,
        }),
      ]
    : [];
