import type { EgressAllowance } from '@opendsr-service/edge';
import { Poller, UNSIGNALLED_IDLE_MS, type Logger, type ServiceParts } from '@opendsr-service/service';
import { CallbacksClient, type CallbackSender, type Sending } from './callbacks.client';

export interface SenderParts {
  readonly sending: Sending;
  readonly identitiesPollMs: number;
  /** Replaces HTTPS, for tests. */
  readonly sender?: CallbackSender;
}

type OpenSender = Required<Pick<ServiceParts, 'prepare' | 'pollers'>> & { readonly client: CallbackSender };

export function openSender({ sending, identitiesPollMs, sender }: SenderParts, log: Logger): OpenSender {
  if (sender) return { client: sender, prepare: [], pollers: [] };
  logAllowedTargets(sending.policy.allowance, log);
  const client = new CallbacksClient(sending, log);
  if (sending.clientCertDir === undefined) return { client, prepare: [], pollers: [] };
  const run = async () => {
    await client.refresh();
    return 0;
  };
  return {
    client,
    prepare: [{ name: 'certificates of workspaces', run }],
    pollers: [
      new Poller({
        name: 'certificates of workspaces',
        intervalMs: identitiesPollMs,
        longestIdleMs: UNSIGNALLED_IDLE_MS,
        run,
        log,
      }),
    ],
  };
}

/** Logged at each start, so that a range wider than intended shows. */
function logAllowedTargets({ hosts, cidrs, ports, loopback }: EgressAllowance, log: Logger): void {
  const [ownMachine, count] = [loopback ? ['localhost', '127.0.0.0/8', '::1'] : [], hosts.length + cidrs.length];
  log.info(
    { hosts: [...hosts, ...ownMachine].join(','), cidrs: cidrs.join(','), ports: ports.join(','), count },
    'Callbacks go to the public internet on these ports, and to what the operator allows',
  );
}
