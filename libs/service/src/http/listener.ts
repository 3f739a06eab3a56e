import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setImmediate as polled } from 'node:timers/promises';
import { StartupError } from '../process/startup-error';
import { Connections } from './connections';

const whyNot: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken',
  EACCES: 'may not be opened by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not a known host',
};

const connections = new WeakMap<Server, Connections>();

/** Listens and returns the bound port; 0 binds a free one. Throws a StartupError that names the port. */
export async function open(server: Server, host: string, port: number): Promise<number> {
  connections.set(server, new Connections(server));
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
/** How long a stop accepts connections that wait already, while further ones keep coming. */
const lastAcceptMs = 10_000;

/**
 * Accepts the connections that wait. Node accepts one in a turn of the event loop, so on a node without CPU many may
 * wait, and closing the listener would reset them unanswered.
 */
async function acceptWaiting(server: Server, longestMs: number): Promise<void> {
  let hasAccepted = true;
  const note = (): void => {
    hasAccepted = true;
  };
  server.on('connection', note);
  const endsAtMs = performance.now() + longestMs;
  while (hasAccepted && performance.now() < endsAtMs) {
    hasAccepted = false;
    // Twice: between the two, the event loop polls.
    await polled();
    await polled();
  }
  server.off('connection', note);
}

/**
 * Accepts no new requests and resolves after the last response, with 0. A request that arrives too slowly gets 408.
 * After `longestMs` it closes the connections that are left, and resolves with their number.
 */
export async function drain(server: Server, longestMs: number): Promise<number> {
  const kept = connections.get(server);
  if (!kept || !server.listening) return 0;
  const endsAtMs = performance.now() + longestMs;
  server.headersTimeout = Math.min(server.headersTimeout, lastArrivalMs);
  server.requestTimeout = Math.min(server.requestTimeout, lastArrivalMs);
  const closed = once(server, 'close');
  await acceptWaiting(server, Math.min(lastAcceptMs, longestMs));
  // `close` of an HTTP server would also stop its timeout checks, and an incomplete request would block it for ever.
  NetServer.prototype.close.call(server);
  const sweep = setInterval(() => {
    setImmediate(() => {
      kept.closeIdle();
    });
  }, 20);
  let left = 0;
  const limit = setTimeout(
    () => {
      left = kept.closeAll();
    },
    Math.max(0, endsAtMs - performance.now()),
  );
  await closed.finally(() => {
    clearInterval(sweep);
    clearTimeout(limit);
  });
  server.close();
  return left;
}
