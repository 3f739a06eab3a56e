import type { Server } from 'node:http';
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

export interface BoundPorts {
  readonly port: number | undefined;
  readonly adminPort: number;
  readonly furtherPorts: readonly number[];
}

export interface Listeners {
  /** Binds the admin listener first, so that health is visible while the process waits for another port. */
  readonly open: (ports: Ports) => Promise<BoundPorts>;
  /** From now on every response closes its connection. */
  readonly dismissConnections: () => void;
  readonly drainPublic: () => Promise<unknown>;
  readonly drainAdmin: () => Promise<unknown>;
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
  for (const server of [publicServer, ...furtherServers.map((one) => one.server)]) {
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
    drainPublic: () =>
      Promise.all([publicServer, ...furtherServers.map(({ server }) => server)].map((server: Server) => drain(server))),
    drainAdmin: () => drain(adminServer),
  };
}
