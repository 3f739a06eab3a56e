import {
  beforeBody,
  DOCS_ROUTES,
  type EdgeAdapter,
  expectRoom,
  limitBySource,
  limitFailures,
} from '@opendsr-service/edge';
import type { FastifyRequest, RouteOptions } from 'fastify';
import type { IngestLimits } from '../limits/ingest-limits';
import { admittedCaller } from './caller';
import { answerCors } from './cors';
import { authenticate, type Gate } from './credentials';
import { isIngestPath, isSingleBatchPath } from './paths';
import type { IntakeRules } from './rules';
import { freeUntaken, proofOfBody } from './signed-body';

/** Adds CORS, credentials, limits and sizes. Call it before the routes are registered. */
export function guardIntake(
  adapter: EdgeAdapter,
  gate: Gate & { readonly rules: IntakeRules; readonly limits: IngestLimits },
): void {
  const instance = adapter.getInstance();
  if (gate.rules.keyOnly) answerCors(adapter);
  beforeBody(adapter, isIngestPath, (http) => letIn(http, gate.limits, () => authenticate(http, gate)));
  instance.addHook('preValidation', (http, _reply, done) => {
    const prove = proofOfBody(http, gate.signatures);
    if (prove)
      letIn(http, gate.limits, prove).then(() => {
        done();
      }, done);
    else done();
  });
  // Before the answer, so that an immediate retry is not too early.
  instance.addHook('onSend', (http, reply) => freeUntaken(http, reply.statusCode, gate.signatures));
  instance.addHook('onRoute', (route) => {
    limit(route, gate.rules);
  });
  limitBySource(adapter, (path) => DOCS_ROUTES.some((route) => route === path), gate.limits.sources);
}

/** A signed call with a body takes its token after it, because keys are public. */
async function letIn(
  http: FastifyRequest,
  { authFailures, calls }: IngestLimits,
  prove: () => Promise<void>,
): Promise<void> {
  await limitFailures(http, authFailures, prove);
  const caller = admittedCaller(http);
  if (caller) expectRoom((await calls.takeToken(caller.ws)).waitMs);
}

function limit(route: RouteOptions, { callBytes, batchBytes }: IntakeRules): void {
  if (isIngestPath(route.url)) route.bodyLimit = isSingleBatchPath(route.url) ? batchBytes : callBytes;
}
