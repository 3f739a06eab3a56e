import type { EdgeAdapter } from '@opendsr-service/edge';
import type { FastifyRequest } from 'fastify';
import { isIngestPath } from './paths';

const ANSWER = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' } as const;
const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  // No `authorization`: browsers must not have a secret.
  'access-control-allow-headers': 'content-type, x-mp-key',
  'access-control-max-age': '86400',
} as const;

const isForPages = (request: FastifyRequest): boolean =>
  isIngestPath(request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '');

/** Allows any origin, because the endpoints use no cookies. Refusals that come before all other hooks can be read too. */
export function answerCors(adapter: EdgeAdapter): void {
  const instance = adapter.getInstance();
  instance.addHook('onRequest', (request, reply, done) => {
    if (isForPages(request) && request.method === 'OPTIONS') void reply.code(204).headers(PREFLIGHT).send();
    else done();
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (isForPages(request) && request.method !== 'OPTIONS') void reply.headers(ANSWER);
    done(null, payload);
  });
}
