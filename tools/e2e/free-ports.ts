import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections: one of those may be free now and taken by the time that
 * a service under test listens.
 */
const FIRST = 10_000;
const EACH = 2_500;
const WORKERS = 8;

/** Each jest worker has its own ports and uses all of them before it repeats one. */
const start = FIRST + (Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS) * EACH;
let next = randomInt(EACH);

/** Ports that are free now, and that nothing takes by chance. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count; tries++) {
    if (tries === EACH)
      throw new Error(
        `fewer than ${String(count)} of the ports from ${String(start)} to ${String(start + EACH - 1)} are free`,
      );
    const port = start + (next++ % EACH);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
