import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** The facts of an ended request that metrics may hold. */
export interface Answered {
  /** As sent, so any word; undefined: never read. */
  readonly method: string | undefined;
  /** The pattern of the route, never a path; undefined: no route of the listener matched. */
  readonly route: string | undefined;
  readonly status: number;
  /** From the end of the headers to the last byte of the answer; 0 for a request that was never read. */
  readonly durationSeconds: number;
  /** The kind of a caller that proved itself. */
  readonly callerClass: string | undefined;
}

export type OnAnswered = (answered: Answered) => void;

/** The status in metrics of a caller that left before the answer; never sent. */
export const CLIENT_CLOSED = 499;
const SECOND_MS = 1_000;

const factsByRequest = new WeakMap<IncomingMessage, { route?: string; callerClass?: string }>();

export function observeAnswer(request: IncomingMessage, response: ServerResponse, onAnswered: OnAnswered): void {
  const facts: { route?: string; callerClass?: string } = {};
  const startedMs = performance.now();
  factsByRequest.set(request, facts);
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : CLIENT_CLOSED;
    onAnswered({
      method: request.method,
      route: facts.route,
      status,
      durationSeconds: (performance.now() - startedMs) / SECOND_MS,
      callerClass: facts.callerClass,
    });
  });
}

export function setRoute(request: IncomingMessage, route: string): void {
  const facts = factsByRequest.get(request);
  if (facts) facts.route = route;
}

/** Sets the class under which metrics count the caller; it must not name a person. */
export function setCallerClass({ raw }: FastifyRequest, callerClass: string): void {
  const facts = factsByRequest.get(raw);
  if (facts) facts.callerClass = callerClass;
}
