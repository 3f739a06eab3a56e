import type { FastifyRequest } from 'fastify';
import type { EdgeAdapter } from './adapter';

/** Runs a step before the body is read, on paths that `applies` selects. It refuses by an ApiError. Nest's guards run after the body. */
export function beforeBody(
  adapter: EdgeAdapter,
  applies: (path: string) => boolean,
  step: (request: FastifyRequest) => Promise<void> | void,
): void {
  adapter.getInstance().addHook('onRequest', async (request) => {
    if (applies(request.routeOptions.url ?? '')) await step(request);
  });
}
