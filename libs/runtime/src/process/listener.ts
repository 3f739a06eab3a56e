import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartupError } from './startup-error';

const whyNot: Readonly<Record<string, string>> = { EADDRINUSE: 'is taken', EACCES: 'may not be opened by this user', EADDRNOTAVAIL: 'is not an address of this machine', ENOTFOUND: 'is not a known host' };

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

/** Accepts nothing more, and resolves when every answer in progress is out. Connections are closed as they fall idle. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  // Node closes the idle ones once, when asked; those that were busy then would be kept until their keep-alive ends.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, 20);
  await closed.finally(() => {
    clearInterval(sweep);
  });
}
