import type { Log } from './log/log';
import { Poller } from './poller';
import type { Metric } from './process/metrics';
import type { ServiceParts } from './process/serve';

/** The signers of a process, as libs/signing opens them. */
interface FollowsFiles {
  look(): Promise<unknown>;
  readonly metrics: readonly Metric[];
}

/** What lets the signers of a process follow their files, looked at every SIGNING_RELOAD_MS. */
export const signingParts = (
  signing: FollowsFiles,
  { SIGNING_RELOAD_MS: intervalMs }: { readonly SIGNING_RELOAD_MS: number },
  log: Log,
): ServiceParts => ({
  pollers: [new Poller({ name: 'signing files', intervalMs, run: () => signing.look().then(() => 0), log })],
  metrics: signing.metrics,
});
