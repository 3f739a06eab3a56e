import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { errorOfStatus, forbidden, type ApiError } from '@opendsr-service/edge';
import { roleIn, type Operator, type Permission, type Role, type Session } from '@opendsr-service/operator-access';
import type { FastifyRequest } from 'fastify';

/** Who calls. A browser has a session, and a machine a token that ends. */
export type OperatorCaller = Operator &
  ({ readonly session: Session } | { readonly session?: never; readonly endsAt: Date });

const callers = new WeakMap<FastifyRequest, OperatorCaller>();

export const operatorUnknown = (): ApiError => errorOfStatus(401, { 'www-authenticate': 'Bearer' });

export const setOperator = (http: FastifyRequest, caller: OperatorCaller): void => void callers.set(http, caller);

/** Only for routes that require credentials. */
export function operatorOf(http: FastifyRequest): OperatorCaller {
  const caller = callers.get(http);
  if (!caller) throw operatorUnknown();
  return caller;
}

/** The parameter of a handler that is who calls. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  operatorOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The role by which the caller may do this in the workspace. */
export function roleOf({ grants }: Operator, permission: Permission, ws: string): Role {
  const role = roleIn(grants, permission, ws);
  if (!role) throw forbidden();
  return role;
}
