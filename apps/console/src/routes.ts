import type { Permission } from './api/permission';

/** A page of the console. `path` is below `/console`. */
export interface Route {
  readonly name: string;
  readonly path: string;
  /** What a role must allow, somewhere, for the page to be shown. */
  readonly needs: Permission;
  /** The role must be one in all workspaces. */
  readonly everywhere?: true;
  /** The key that leads there after `g`; only pages of the navigation have one. */
  readonly key?: string;
  /** Only where the service runs as a sandbox. */
  readonly sandbox?: true;
}

/** Every page there is, in the order of the navigation. The router, the navigation and the tests are made from it. */
export const routes = [
  { name: 'overview', path: '/', needs: 'read', key: 'o' },
  { name: 'requests', path: '/requests', needs: 'read', key: 'r' },
  { name: 'firstRun', path: '/first-run', needs: 'reveal', key: 'f', sandbox: true },
  { name: 'request', path: '/requests/:ws/:srid', needs: 'read' },
  { name: 'reveals', path: '/reveals', needs: 'reveal', key: 'v' },
  { name: 'destinations', path: '/destinations', needs: 'read', key: 'd' },
  { name: 'destination', path: '/destinations/:ws/:host', needs: 'read' },
  { name: 'parked', path: '/parked', needs: 'read', key: 'p' },
  { name: 'parkedRecord', path: '/parked/:service/:id', needs: 'read' },
  { name: 'workspaces', path: '/workspaces', needs: 'read', key: 'w' },
  { name: 'workspace', path: '/workspaces/:ws', needs: 'read' },
  { name: 'participants', path: '/participants', needs: 'read', everywhere: true, key: 't' },
  { name: 'evidence', path: '/evidence', needs: 'read', key: 'e' },
  { name: 'audit', path: '/audit', needs: 'audit', key: 'u' },
  { name: 'system', path: '/system', needs: 'read', everywhere: true, key: 's' },
] as const satisfies readonly Route[];

export type RouteName = (typeof routes)[number]['name'];
