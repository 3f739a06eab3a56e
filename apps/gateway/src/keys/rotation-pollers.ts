import { Poller } from '@opendsr-service/service';
import type { GatewayParts } from '../gateway-parts.config';

/** What makes and ends generations of keys, where there are any. */
export const rotationPollers = (
  rotation: GatewayParts['rotation'],
  intervalMs: number,
  log: GatewayParts['log'],
): Poller[] =>
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
