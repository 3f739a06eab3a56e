import type { FastifyRequest } from 'fastify';
import type { EdgeAdapter } from './adapter';

/**
 * Runs a step before the body of a request is read, on the paths that `applies` chooses: credentials and rate limits stand before
 * 415, 413 and 400, and a stranger's body costs nothing. Guards of Nest run after the body. The step refuses by throwing an ApiError.
 */
export function beforeBody(
  adapter: EdgeAdapter,
  applies: (path: string) => boolean,
  step: (request: FastifyRequest) => Promise<void> | void,
): void {
  adapter.getInstance().addHook('onRequest', async (request) => {
    if (applies(request.routeOptions.url ?? '')) await step(request);
  });
}
