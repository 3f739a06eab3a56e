import { Poller, type Log, type ServiceParts } from '@opendsr-service/runtime';
import { CallbacksClient, type CallbackSender, type Sending } from '../dispatch/callbacks.client';

export interface SenderParts {
  readonly sending: Sending;
  /** How often the certificates that workspaces show are looked at. */
  readonly identitiesPollMs: number;
  /** What posts callbacks, where that is not HTTPS. */
  readonly sender?: CallbackSender;
}

/** What posts callbacks in a process, and what keeps it up to date. */
export type OpenSender = Required<Pick<ServiceParts, 'prepare' | 'pollers'>> & { readonly client: CallbackSender };

export function openSender({ sending, identitiesPollMs, sender }: SenderParts, log: Log): OpenSender {
  if (sender) return { client: sender, prepare: [], pollers: [] };
  const client = new CallbacksClient(sending, log);
  if (sending.clientCertDir === undefined) return { client, prepare: [], pollers: [] };
  const run = async () => {
    await client.refresh();
    return 0;
  };
  return { client, prepare: [{ name: 'certificates of workspaces', run }], pollers: [new Poller({ name: 'certificates of workspaces', intervalMs: identitiesPollMs, run, log })] };
}
