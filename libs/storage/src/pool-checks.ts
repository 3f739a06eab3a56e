/** The longest time between two looks of the driver at a pool of connections. It looks ten times a second by itself. */
export const POOL_CHECK_MS = 10_000;

/** What we use of the driver's pool. `mongodb.int.spec.ts` fails where it changes. */
export interface ConnectionPool {
  readonly poolState: string;
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  ensureMinPoolSize: (this: ConnectionPool) => void;
}

interface Topology {
  readonly s: { readonly servers: ReadonlyMap<string, { readonly pool: ConnectionPool }> };
}

const patched = new WeakSet<ConnectionPool>();

/**
 * Makes the driver look seldom at its pools; it has an option for that, which it takes from nobody. A look closes
 * connections that broke or were idle for too long, as the next user of the pool does too, and opens what is missing, at
 * the driver's own pace until enough are open.
 */
export function lookSeldom(pool: ConnectionPool): void {
  const prototype = Object.getPrototypeOf(pool) as ConnectionPool;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { ensureMinPoolSize } = prototype;
  prototype.ensureMinPoolSize = function () {
    ensureMinPoolSize.call(this);
    if (this.poolState !== 'ready') return;
    clearTimeout(this.minPoolSizeTimer);
    this.minPoolSizeTimer = setTimeout(() => this.ensureMinPoolSize(), POOL_CHECK_MS);
  };
}

/** A pool of a connected client of the driver. */
export function poolOf(client: object): ConnectionPool {
  const { topology } = client as { readonly topology: Topology };
  const [server] = topology.s.servers.values();
  if (!server) throw new Error('a connected client has a server');
  return server.pool;
}
