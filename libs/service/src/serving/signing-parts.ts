import type { Logger } from '../logger/logger';
import { Poller, UNSIGNALLED_IDLE_MS as longestIdleMs } from '../workers/poller';
import type { Metric } from '../metrics/metrics';
import type { ServiceParts } from './serve';

interface FollowsFiles {
  checkFiles(): Promise<unknown>;
  readonly metrics: readonly Metric[];
}

/** Checks the signers' files every SIGNING_RELOAD_MS. */
export const signingParts = (
  signing: FollowsFiles,
  { SIGNING_RELOAD_MS: intervalMs }: { readonly SIGNING_RELOAD_MS: number },
  log: Logger,
): ServiceParts => ({
  pollers: [
    new Poller({
      name: 'signing files',
      intervalMs,
      longestIdleMs,
      run: () => signing.checkFiles().then(() => 0),
      log,
    }),
  ],
  metrics: signing.metrics,
});
