import {
  applyDecorators,
  Controller,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { forbidden, ProblemErrorFilter } from '@opendsr-service/edge';
import { mayAnywhere, type Permission } from '@opendsr-service/operator-access';
import type { FastifyRequest } from 'fastify';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { operatorOf, roleOf } from './operator-caller';

const NEEDS = 'operator-needs';

/** `nothing`: no credentials; `session`: credentials, whatever their roles. */
export type Needed = Permission | 'session' | 'nothing';

/** What a route of the operator's API needs; in the workspace `:ws`, where its path has one. */
export const Needs = (needed: Needed): CustomDecorator => SetMetadata(NEEDS, needed);

export const neededBy = (handler: object): Needed | undefined =>
  Reflect.getMetadata(NEEDS, handler) as Needed | undefined;

/** Refuses a route that does not say what it needs. */
@Injectable()
export class OperatorGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const needed = neededBy(context.getHandler());
    if (needed === 'nothing') return true;
    const http = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = operatorOf(http);
    if (needed === 'session') return true;
    const { ws } = http.params as { readonly ws?: string };
    if (needed === undefined || !mayAnywhere(caller.grants, needed)) throw forbidden();
    if (ws !== undefined) roleOf(caller, needed, ws);
    return true;
  }
}

/** A controller of the operator's API: its guard, and the form of its errors. */
export const OperatorController = (path = OPERATOR_ROOT): ClassDecorator =>
  applyDecorators(Controller(path), UseGuards(OperatorGuard), UseFilters(ProblemErrorFilter));
