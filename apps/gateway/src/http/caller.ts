import { callerIsOf, unauthorized } from '@opendsr-service/edge';
import { parseBasic, type Workspace, type Workspaces } from '@opendsr-service/workspaces';
import type { FastifyRequest } from 'fastify';

const callers = new WeakMap<FastifyRequest, Workspace>();

/** The workspace whose credentials a request carries. Routes that need none must not ask. */
export function callerOf(http: FastifyRequest): Workspace {
  const workspace = callers.get(http);
  if (!workspace) throw unauthorized();
  return workspace;
}

/**
 * Finds out who calls, before the body is read (interface.md, "Authentication"). Whatever does not prove itself is 401,
 * a proven credential without the scope included: the interface knows no other answer.
 */
export async function authenticate(http: FastifyRequest, workspaces: Workspaces): Promise<void> {
  const credentials = parseBasic(http.headers.authorization);
  if (!credentials) throw unauthorized();
  const workspace = await workspaces.authenticate(credentials.key, credentials.secret, 'dsr');
  if (typeof workspace === 'string') throw unauthorized();
  callerIsOf(http, workspace.class);
  callers.set(http, workspace);
}
