import { setCallerClass, unauthorized } from '@opendsr-service/edge';
import { parseBasic, type Workspace, type Workspaces } from '@opendsr-service/workspaces';
import type { FastifyRequest } from 'fastify';

const callers = new WeakMap<FastifyRequest, Workspace>();

/** Only for routes that require credentials. */
export function callerOf(http: FastifyRequest): Workspace {
  const workspace = callers.get(http);
  if (!workspace) throw unauthorized();
  return workspace;
}

/**
 * Authenticates before the body is read (protocol, "Authentication"). A credential without the scope is 401, too:
 * the interface has no 403.
 */
export async function authenticate(http: FastifyRequest, workspaces: Workspaces): Promise<void> {
  const credentials = parseBasic(http.headers.authorization);
  if (!credentials) throw unauthorized();
  const workspace = await workspaces.authenticate(credentials.key, credentials.secret, 'dsr');
  if (typeof workspace === 'string') throw unauthorized();
  setCallerClass(http, workspace.class);
  callers.set(http, workspace);
}
