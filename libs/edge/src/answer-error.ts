import { HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_CLOSED } from './answered';
import { ApiError, errorOfStatus, unavailable } from './api-error';
import { errorBytes, type ErrorStyle } from './error-body';
import { edgeHeaders, sendJson } from './send-json';
import { CallerGone } from './send-stream';

/** What may be said of a request whose answer failed: nothing from its body, headers or address but the route's pattern. */
export interface FailureFacts {
  requestId: string;
  method: string;
  route: string | undefined;
  /** 499 where the caller went away before the answer was whole. */
  status: number;
}

/** Told of every error that was not expected, and of callers who did not wait; the caller of the service sees a fixed message only. */
export type ReportFailure = (error: unknown, facts: FailureFacts) => void;

const factsOf = ({ id, method, routeOptions }: FastifyRequest) => ({ requestId: id, method, route: routeOptions.url });

/** What is made of errors that nobody expected. */
export interface FailureRules {
  readonly report?: ReportFailure;
  /**
   * Whether an error means that something which the service needs is away for a while: the answer is 503, for the
   * same call may succeed later.
   */
  readonly isAway?: (error: unknown) => boolean;
}

/** Set where the adapter is made; one for each Fastify instance. */
export const rulesOfServer = new WeakMap<object, FailureRules>();

const RETRY_AFTER_SECONDS = 1;

const property = (error: unknown, name: string): unknown =>
  error instanceof Error ? (error as Error & Record<string, unknown>)[name] : undefined;

/** The answer for any error: ours as they are, the framework's by status, anything else 500. Messages of others are never repeated. */
function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HttpException) return errorOfStatus(error.getStatus());
  const status = property(error, 'statusCode');
  // A caller who went away in the middle of a body is no failure of ours.
  const framework = property(error, 'name') === 'FastifyError' || property(error, 'code') === 'ECONNRESET';
  return errorOfStatus(framework && typeof status === 'number' ? status : 500);
}

/** What Node says where an answer has nobody to go to. */
const DISCONNECT_CODES = new Set<unknown>([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * Whether all that went wrong is that the caller went away. What fails for another reason stays a failure, though
 * nobody hears of it: connections to stores say the same codes.
 */
const isCallerGone = (error: unknown, { raw }: FastifyReply, isAway: boolean): boolean =>
  error instanceof CallerGone ||
  (!isAway && raw.destroyed && DISCONNECT_CODES.has((Object(error) as { readonly code?: unknown }).code));

const gone = new WeakSet<FastifyRequest>();

/** Once for a request: Fastify and whoever streams may both find out. */
function reportGone(error: unknown, request: FastifyRequest, report: ReportFailure | undefined): void {
  if (!gone.has(request)) report?.(error, { ...factsOf(request), status: CLIENT_CLOSED });
  gone.add(request);
}

/**
 * Answers a request with an error in the style of its path; where an answer has begun, it is cut off, so that nobody
 * takes it for whole.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, style: ErrorStyle): void {
  const { isAway, report } = rulesOfServer.get(request.server) ?? {};
  const storeIsAway = isAway?.(error) === true;
  if (isCallerGone(error, reply, storeIsAway)) {
    reportGone(error, request, report);
    return;
  }
  const answer = storeIsAway ? unavailable(RETRY_AFTER_SECONDS) : apiErrorOf(error);
  if (answer.status >= 500 && !(error instanceof ApiError)) {
    report?.(error, { ...factsOf(request), status: answer.status });
  }
  if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
  else sendJson(reply, answer.status, errorBytes(answer, style), { ...edgeHeaders, ...answer.headers });
}
