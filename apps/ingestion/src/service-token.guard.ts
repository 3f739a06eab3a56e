import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { unauthorized } from '@opendsr-service/edge';
import type { FastifyRequest } from 'fastify';
import { SERVICE_TOKEN } from './tokens';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets in who shows the token of the services: `authorization: Bearer <token>`. Compared in constant time. */
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
