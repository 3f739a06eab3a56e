import type { IncomingMessage, Server } from 'node:http';
import { type EdgeAdapter, notFound } from '@opendsr-service/edge';

/** Whether a path, or the pattern of a route, belongs to the admin listener. */
export const isAdminPath = (path: string): boolean => path.startsWith('/internal/') || ['/livez', '/readyz', '/metrics'].includes(path);

export interface TwoListeners {
  readonly publicServer: Server;
  readonly adminServer: Server;
  /** From now on every answer closes its connection. */
  readonly dismissConnections: () => void;
}

/**
 * One Fastify instance behind two listeners: admin routes answer on the admin listener alone, all others on the public one alone.
 * What matched counts, not what was written, so that no spelling of a path gets past.
 */
export function twoListeners(adapter: EdgeAdapter): TwoListeners {
  const instance = adapter.getInstance();
  const fromAdmin = new WeakSet<IncomingMessage>();
  let dismissing = false;
  instance.addHook('onRequest', (request, reply, done) => {
    if (dismissing) reply.header('connection', 'close');
    const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
    done(isAdminPath(path) === fromAdmin.has(request.raw) ? undefined : notFound());
  });
  const publicServer = adapter.createListener((request, response) => {
    instance.routing(request, response);
  });
  const adminServer = adapter.createListener((request, response) => {
    fromAdmin.add(request);
    instance.routing(request, response);
  });
  return { publicServer, adminServer, dismissConnections: () => void (dismissing = true) };
}
