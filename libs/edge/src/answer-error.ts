import { HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_CLOSED } from './answered';
import { endCall } from './call-limiter';
import { ApiError, errorOfStatus, unavailable } from './api-error';
import { errorBytes, errorContentType, type ErrorStyle } from './error-body';
import { edgeHeaders } from './send-json';
import { CallerGone } from './send-stream';

/** What a log may hold about a request whose answer failed. */
export interface FailureFacts {
  requestId: string;
  method: string;
  route: string | undefined;
  status: number;
}

/** Receives unexpected errors and callers that left. */
type ReportFailure = (error: unknown, facts: FailureFacts) => void;

const callFacts = ({ id, method, routeOptions }: FastifyRequest) => ({
  requestId: id,
  method,
  route: routeOptions.url,
});

export interface FailureRules {
  readonly report?: ReportFailure;
  /** Whether the error means that a store or broker is away; the answer is then 503. */
  readonly isAway?: (error: unknown) => boolean;
}

export const rulesOfServer = new WeakMap<object, FailureRules>();

const RETRY_AFTER_SECONDS = 1;

const property = (error: unknown, name: string): unknown =>
  error instanceof Error ? (error as Error & Record<string, unknown>)[name] : undefined;

/** Our errors as they are, those of the framework by status, others as 500. Messages of others are never repeated. */
function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HttpException) return errorOfStatus(error.getStatus());
  const status = property(error, 'statusCode');
  const framework = property(error, 'name') === 'FastifyError' || property(error, 'code') === 'ECONNRESET';
  return errorOfStatus(framework && typeof status === 'number' ? status : 500);
}

const DISCONNECT_CODES = new Set<unknown>([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** Stores report the same codes, so the caller must be gone too. */
const isCallerGone = (error: unknown, { raw }: FastifyReply, isAway: boolean): boolean =>
  error instanceof CallerGone ||
  (!isAway && raw.destroyed && DISCONNECT_CODES.has((Object(error) as { readonly code?: unknown }).code));

const gone = new WeakSet<FastifyRequest>();

/** Once per request: Fastify and a stream may both report it. */
function reportGone(error: unknown, request: FastifyRequest, report: ReportFailure | undefined): void {
  if (!gone.has(request)) report?.(error, { ...callFacts(request), status: CLIENT_CLOSED });
  gone.add(request);
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, style: ErrorStyle): void {
  const { isAway, report } = rulesOfServer.get(request.server) ?? {};
  const storeIsAway = isAway?.(error) === true;
  if (isCallerGone(error, reply, storeIsAway)) {
    endCall(request.raw);
    reportGone(error, request, report);
    return;
  }
  const answer = storeIsAway ? unavailable(RETRY_AFTER_SECONDS) : apiErrorOf(error);
  if (answer.status >= 500 && !(error instanceof ApiError)) {
    report?.(error, { ...callFacts(request), status: answer.status });
  }
  if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
  else
    void reply
      .code(answer.status)
      .headers({ ...edgeHeaders, ...answer.headers, 'content-type': errorContentType(style) })
      .send(errorBytes(answer, style));
}
