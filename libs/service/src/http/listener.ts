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

/** Listens and gives the port that was bound; 0 binds a free one. Throws a StartupError that says which port could not be had. */
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

/** Time for requests to arrive whole, once no new ones are taken: a process that stops is not held up by whoever has sent half of one. */
const lastArrivalMs = 5_000;

/** Accepts nothing more, and resolves when every answer in progress is out. Connections are closed as they fall idle, and with 408 where a request comes too slowly. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  server.headersTimeout = Math.min(server.headersTimeout, lastArrivalMs);
  server.requestTimeout = Math.min(server.requestTimeout, lastArrivalMs);
  const closed = once(server, 'close');
  // The close of an HTTP server would also end its look at these timeouts, and half a request would then be waited for without end.
  NetServer.prototype.close.call(server);
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, 20);
  await closed.finally(() => {
    clearInterval(sweep);
  });
  server.close();
}
