import type { EdgeAdapter } from '@opendsr-service/edge';
import { isIngestPath } from './paths';

const ANSWER = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' } as const;
const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  // No `authorization`: browsers must not have a secret.
  'access-control-allow-headers': 'content-type, x-mp-key',
  'access-control-max-age': '86400',
} as const;

/** Allows any origin, because the endpoints use no cookies. */
export function answerCors(adapter: EdgeAdapter): void {
  adapter.getInstance().addHook('onRequest', (request, reply, done) => {
    const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
    const isAsked = isIngestPath(path);
    if (isAsked && request.method === 'OPTIONS') {
      void reply.code(204).headers(PREFLIGHT).send();
      return;
    }
    if (isAsked) void reply.headers(ANSWER);
    done();
  });
}
