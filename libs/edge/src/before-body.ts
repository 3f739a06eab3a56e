import type { FastifyRequest } from 'fastify';
import type { EdgeAdapter } from './adapter';

/** Runs a step before the body is read, on paths that `applies` selects. It refuses by an ApiError. Nest's guards run after the body. */
export function beforeBody(
  adapter: EdgeAdapter,
  applies: (path: string) => boolean,
  step: (request: FastifyRequest) => Promise<void> | void,
): void {
  const run = async (request: FastifyRequest): Promise<void> => step(request);
  adapter.getInstance().addHook('onRequest', (request, _reply, done) => {
    // Without a promise: every call passes the steps of all paths.
    if (applies(request.routeOptions.url ?? '')) void run(request).then(() => done(), done);
    else done();
  });
}
