import { beforeBody, type EdgeAdapter } from '@opendsr-service/edge';
import type { RouteOptions } from 'fastify';
import { answerCors } from './cors';
import { authenticate, type Gate } from './credentials';
import { orUnavailable } from './or-unavailable';
import { isIngestPath, isSingleBatchPath } from './paths';
import type { IntakeRules } from './rules';
import { checkedBody } from './signed-body';

/** Puts what the ingestion endpoints need before their routes: CORS, credentials, sizes. Call it before the routes are made. */
export function guardIntake(adapter: EdgeAdapter, gate: Gate & { readonly rules: IntakeRules }): void {
  const instance = adapter.getInstance();
  // First of all, so that browsers may read refusals too.
  if (gate.rules.keyOnly) answerCors(adapter);
  beforeBody(adapter, isIngestPath, (http) => orUnavailable(() => authenticate(http, gate)));
  instance.addHook('preParsing', (http, reply, body, done) => {
    done(null, checkedBody(http, reply, body));
  });
  instance.addHook('onRoute', (route) => {
    limit(route, gate.rules);
  });
}

function limit(route: RouteOptions, { callBytes, batchBytes }: IntakeRules): void {
  if (isIngestPath(route.url)) route.bodyLimit = isSingleBatchPath(route.url) ? Math.min(callBytes, batchBytes) : callBytes;
}
