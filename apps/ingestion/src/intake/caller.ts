import { forbidden, unauthorized } from '@opendsr-service/edge';
import { parseBasic, type Workspaces } from '@opendsr-service/workspaces';
import type { FastifyRequest } from 'fastify';

const PATHS = ['/v1/identify', '/v2/events'];
const callers = new WeakMap<object, string>();

/** Whether a path is one of the ingestion endpoints, which take their own credentials and answer errors in their own body. */
export const isIngestPath = (path: string): boolean => PATHS.includes(path.replace(/\/+$/, ''));

/** The workspace that a request proved to act for. */
export function callerOf(http: FastifyRequest): string {
  const ws = callers.get(http);
  if (ws === undefined) throw unauthorized();
  return ws;
}

/** Finds out who calls, before the body is read: 401 where the header is missing, 403 where it is wrong (protocol-notes, "Events answer"). */
export async function authenticate(http: FastifyRequest, workspaces: Workspaces): Promise<void> {
  const { authorization } = http.headers;
  if (authorization === undefined) throw unauthorized();
  const given = parseBasic(authorization);
  const workspace = given ? await workspaces.authenticate(given.key, given.secret, 'ingest') : 'unknown';
  if (typeof workspace === 'string') throw forbidden();
  callers.set(http, workspace.ws);
}
