import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from './api-error';

export const SERVICE_TOKENS = Symbol('service tokens');

/** What the services' tokens are now: the first one is sent, each of them is accepted. */
export type ServiceTokens = () => Promise<readonly string[]>;

/** The header of an internal call. */
export const serviceCredentials = async (tokens: ServiceTokens): Promise<{ readonly authorization: string }> => ({
  authorization: bearer((await tokens())[0] ?? ''),
});

const bearer = (token: string): string => `Bearer ${token}`;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Admits internal calls with `authorization: Bearer <service token>`, compared in constant time. */
@Injectable()
export class ServiceTokenGuard implements CanActivate {
  constructor(@Inject(SERVICE_TOKENS) private readonly tokens: ServiceTokens) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { authorization = '' } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    const shown = digest(authorization);
    // Each is compared, so that the time does not say which one it was.
    const matching = (await this.tokens()).filter((token) => timingSafeEqual(shown, digest(bearer(token))));
    if (matching.length === 0) throw unauthorized();
    return true;
  }
}
