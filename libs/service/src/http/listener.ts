import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
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

/** How long a request may still take to arrive during a stop: half a request must not hold up the process. */
const lastArrivalMs = 5_000;

/** Accepts no more requests, and resolves when every answer is out. A request that comes too slowly gets 408. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  server.headersTimeout = Math.min(server.headersTimeout, lastArrivalMs);
  server.requestTimeout = Math.min(server.requestTimeout, lastArrivalMs);
  const closed = once(server, 'close');
  // `close` of an HTTP server would also end its check of these timeouts, and half a request would be waited for
  // without end.
  NetServer.prototype.close.call(server);
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, 20);
  await closed.finally(() => {
    clearInterval(sweep);
  });
  server.close();
}
