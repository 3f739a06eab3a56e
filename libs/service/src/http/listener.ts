import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setImmediate as polled } from 'node:timers/promises';
import { StartupError } from '../process/startup-error';

const whyNot: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken',
  EACCES: 'may not be opened by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not a known host',
};

/** Listens and returns the bound port; 0 binds a free one. Throws a StartupError that names the port. */
export async function open(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new StartupError(`port ${port} on ${host} ${whyNot[code] ?? `cannot be opened (${code})`}`, { cause: error });
  }
  return (server.address() as AddressInfo).port;
}

/** Time for an incomplete request to arrive during a stop. */
const lastArrivalMs = 5_000;

/**
 * Accepts no new requests and resolves after the last response. A request that arrives too slowly gets 408. Connections
 * are closed only after the event loop has polled: what arrived while it was busy would otherwise be reset unread.
 */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  server.headersTimeout = Math.min(server.headersTimeout, lastArrivalMs);
  server.requestTimeout = Math.min(server.requestTimeout, lastArrivalMs);
  const closed = once(server, 'close');
  await polled();
  // `close` of an HTTP server would also stop its timeout checks, and an incomplete request would block it for ever.
  NetServer.prototype.close.call(server);
  const sweep = setInterval(() => {
    setImmediate(() => {
      server.closeIdleConnections();
    });
  }, 20);
  await closed.finally(() => {
    clearInterval(sweep);
  });
  server.close();
}
