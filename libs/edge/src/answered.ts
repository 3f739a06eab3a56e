import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** What may be measured of a request that is over. */
export interface Answered {
  /** As it was sent, so that it may be any word; undefined where it was never read. */
  readonly method: string | undefined;
  /** The pattern of the route that took it, never a path; undefined where none did, or none of its listener. */
  readonly route: string | undefined;
  /** 499 where the caller went away before there was an answer. */
  readonly status: number;
  /** From the end of its headers to the last byte of the answer; 0 for what never became a request. */
  readonly durationSeconds: number;
  /** What kind of caller it proved to come from; undefined where it proved nothing. */
  readonly callerClass: string | undefined;
}

export type OnAnswered = (answered: Answered) => void;

/** Stands for an answer that nobody was there to take. It is never sent. */
export const CLIENT_CLOSED = 499;
const SECOND_MS = 1_000;

const factsByRequest = new WeakMap<IncomingMessage, { route?: string; callerClass?: string }>();

/** Tells of a request when it is over, however it was answered: by a controller, before one, or by cutting it off. */
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

/** From now on the request counts as one of this route. */
export function setRoute(request: IncomingMessage, route: string): void {
  const facts = factsByRequest.get(request);
  if (facts) facts.route = route;
}

/** From now on the request counts as one of this kind of callers: an operator's word, shown in metrics, that names nobody. */
export function setCallerClass({ raw }: FastifyRequest, callerClass: string): void {
  const facts = factsByRequest.get(raw);
  if (facts) facts.callerClass = callerClass;
}
