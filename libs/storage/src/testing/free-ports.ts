import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * Where systems do not look for ports of outgoing connections (from 32768), one of which might take a port in the seconds before a server
 * listens there; nor do the suites in tools, whose ports end below.
 */
const FIRST = 30_000;
const EACH = 340;
const WORKERS = 8;
/** A server of the cluster listens at another address than 127.0.0.1 alone, and the next one at both. */
const EVERYWHERE = '0.0.0.0';

/** Ports that are free now at every address of this machine; all of them are held until the last is found. No two of jest's workers are given the same. */
export async function freePorts(count: number): Promise<number[]> {
  const holders = await Promise.all(Array.from({ length: count }, hold));
  const ports = holders.map((holder) => (holder.address() as AddressInfo).port);
  await Promise.all(holders.map((holder) => once(holder.close(), 'close')));
  return ports;
}

async function hold(): Promise<Server> {
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;
  for (;;) {
    const server = createServer().listen(FIRST + worker + randomInt(EACH) * WORKERS, EVERYWHERE);
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
