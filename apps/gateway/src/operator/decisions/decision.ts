import type { Permission, Role } from '@opendsr-service/operator-access';
import type { FastifyRequest } from 'fastify';
import { requestId } from '../../http/request-id';
import { operatorOf, roleOf } from '../access/operator-caller';

/** Who decides something in a workspace, and why. */
export interface WorkspaceDecision {
  readonly ws: string;
  readonly subject: string;
  /** The role by which the caller may. The event log names it, and never the subject. */
  readonly role: Role;
  readonly reason: string;
  /** Id of the HTTP request. */
  readonly requestId: string;
}

/** Who decides about which request, and why. */
export interface Decision extends WorkspaceDecision {
  readonly srid: string;
}

interface Why {
  readonly reason: string;
  readonly permission: Permission;
}

/** What the caller decides in a workspace. Throws a 403. */
export function workspaceDecisionOf(http: FastifyRequest, ws: string, { reason, permission }: Why): WorkspaceDecision {
  const caller = operatorOf(http);
  const role = roleOf(caller, permission, ws);
  return { ws, subject: caller.subject, role, reason, requestId: http.id };
}

/** What the caller decides about the request of the path. Throws a 403. */
export const decisionOf = (
  http: FastifyRequest,
  { ws, srid }: Readonly<Record<'ws' | 'srid', string>>,
  why: Why,
): Decision => ({ ...workspaceDecisionOf(http, ws, why), srid: requestId(srid) });
