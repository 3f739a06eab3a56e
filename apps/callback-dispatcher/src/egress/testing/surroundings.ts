import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { egressPolicy, type EgressAllowance } from '@opendsr-service/edge';
import type { CallbacksClient, SendLimits, Sending } from '../../dispatch/callbacks.client';

/** What is sent to try. */
export const CALLBACK = {
  ws: 'acme',
  headers: { 'Content-Type': 'application/json', 'X-Delivery-Id': 'd-1' },
  body: Buffer.from('{"request_status":"pending"}'),
};

const LONG_MS = 60_000;
/** So long that none ends what should arrive, however busy the machine; a spec that means a limit names a short one. */
const LIMITS: SendLimits = {
  connectMs: LONG_MS,
  headersMs: LONG_MS,
  bodyMs: LONG_MS,
  totalMs: LONG_MS,
  answerBytes: 65_536,
  connections: 8,
};

/** A way of sending that is allowed nothing but what is named. */
export const sending = (
  allow: Partial<EgressAllowance>,
  { limits = {}, ...more }: Partial<Omit<Sending, 'limits'>> & { readonly limits?: Partial<SendLimits> } = {},
): Sending => ({
  policy: egressPolicy({ hosts: [], cidrs: [], ports: [443], loopback: false, ...allow }),
  extraCa: undefined,
  clientCertDir: undefined,
  userAgent: 'opendsr-service/test',
  ...more,
  limits: { ...LIMITS, ...limits },
});

/** Listens on a free port of an address of this machine, and says which. */
export async function listen(server: Server, address = '127.0.0.1'): Promise<number> {
  server.listen(0, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Ends a server, connections that are under way as well. */
export async function close(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  server.closeAllConnections?.();
  await new Promise((resolve) => server.close(resolve));
}

/** Lends a client and closes it. */
export async function using<T>(client: CallbacksClient, work: (client: CallbacksClient) => Promise<T>): Promise<T> {
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
