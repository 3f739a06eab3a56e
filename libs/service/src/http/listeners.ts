import type { EdgeAdapter, Owns } from '@opendsr-service/edge';
import { isAdminRoute } from './admin-routes';
import { drain, open } from './listener';

export interface FurtherListener {
  readonly port: number;
  readonly owns: Owns;
  /** Routes that it serves beside the public listener. */
  readonly shares?: Owns;
}

export interface Ports {
  readonly host: string;
  readonly port?: number;
  readonly adminPort: number;
}

interface BoundPorts {
  readonly port: number | undefined;
  readonly adminPort: number;
  readonly furtherPorts: readonly number[];
}

export interface Listeners {
  /** Binds the admin listener first, so that health is visible while the process waits for another port. */
  readonly open: (ports: Ports) => Promise<BoundPorts>;
  /** From now on every response closes its connection. */
  readonly dismissConnections: () => void;
  /** Waits for the last answers for so long, and then closes the connections that are left. Resolves with their number. */
  readonly drainPublic: (longestMs: number) => Promise<number>;
  readonly drainAdmin: (longestMs: number) => Promise<number>;
}

/** One Fastify instance behind several listeners; each serves only its own routes. */
export function listenersOf(adapter: EdgeAdapter, further: readonly FurtherListener[]): Listeners {
  let dismissing = false;
  adapter.getInstance().addHook('onSend', (_request, reply, payload, done) => {
    if (dismissing) reply.header('connection', 'close');
    done(null, payload);
  });
  const isFurther: Owns = (pattern) => further.some(({ owns }) => owns(pattern));
  const adminServer = adapter.createListener(isAdminRoute);
  const publicServer = adapter.createListener((pattern) => !isAdminRoute(pattern) && !isFurther(pattern));
  const furtherServers = further.map(({ port, owns, shares }) => ({
    port,
    server: adapter.createListener(
      (pattern) => !isAdminRoute(pattern) && (owns(pattern) || shares?.(pattern) === true),
    ),
  }));
  const publicServers = [publicServer, ...furtherServers.map(({ server }) => server)];
  for (const server of publicServers) {
    adapter.connectionLimiter.guard(server);
    adapter.callLimiter.guard(server);
  }
  const openAll = async (host: string): Promise<number[]> => {
    const ports: number[] = [];
    for (const { server, port } of furtherServers) ports.push(await open(server, host, port));
    return ports;
  };
  return {
    open: async ({ host, port, adminPort }) => ({
      adminPort: await open(adminServer, host, adminPort),
      port: port === undefined ? undefined : await open(publicServer, host, port),
      furtherPorts: await openAll(host),
    }),
    dismissConnections: () => void (dismissing = true),
    drainPublic: async (longestMs) => {
      const left = await Promise.all(publicServers.map((server) => drain(server, longestMs)));
      return left.reduce((sum, count) => sum + count, 0);
    },
    drainAdmin: (longestMs) => drain(adminServer, longestMs),
  };
}
