import type { Permission } from '@opendsr-service/operator-access';
import type { FastifyRequest } from 'fastify';
import { requestId } from '../../http/request-id';
import { operatorOf, roleOf } from '../access/operator-caller';
import type { Decision } from './decision';

/** What the caller decides about the request of the path. Throws a 403. */
export function decisionOf(
  http: FastifyRequest,
  { ws, srid }: Readonly<Record<'ws' | 'srid', string>>,
  { reason, permission }: { readonly reason: string; readonly permission: Permission },
): Decision {
  const caller = operatorOf(http);
  const role = roleOf(caller, permission, ws);
  return { ws, srid: requestId(srid), subject: caller.subject, role, reason, requestId: http.id };
}
