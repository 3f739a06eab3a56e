import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from './api-error';

export const SERVICE_TOKEN = Symbol('service token');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Admits internal calls with `authorization: Bearer <service token>`, compared in constant time. */
@Injectable()
export class ServiceTokenGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(@Inject(SERVICE_TOKEN) token: string) {
    this.expected = digest(`Bearer ${token}`);
  }

  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    if (!timingSafeEqual(digest(authorization ?? ''), this.expected)) throw unauthorized();
    return true;
  }
}
