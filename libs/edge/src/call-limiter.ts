import type { IncomingMessage, Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type ApiError, unavailable } from './api-error';
import { hasBody } from './linger';
import type { HttpLimits } from './limits';

const RETRY_AFTER_SECONDS = 1;

const leaves = new WeakMap<IncomingMessage, () => void>();

/** Ends the work on a call. For a caller that left: nothing is sent, so no hook of the answer runs. */
export function endCall(request: IncomingMessage): void {
  leaves.get(request)?.();
  leaves.delete(request);
}

/**
 * Counts the calls of public listeners that the process works on, from their headers to the beginning of their answer, but
 * not while their body arrives: slow callers hold no place. Refuses a call beyond the limit with 503.
 */
export class CallLimiter {
  working = 0;
  refused = 0;
  private readonly guarded = new WeakSet<IncomingMessage>();

  constructor(private readonly limits: Pick<HttpLimits, 'calls'>) {}

  /** Call it before the server listens. Calls of other servers are not counted. */
  guard(server: Server): void {
    const mark = (request: IncomingMessage) => void this.guarded.add(request);
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, mark);
  }

  guards(request: IncomingMessage): boolean {
    return this.guarded.has(request);
  }

  /** Counts the refusal of a call. */
  refuse(): ApiError {
    this.refused += 1;
    return unavailable(RETRY_AFTER_SECONDS);
  }

  /** Call it before the hooks that work on a call. */
  addHooks(instance: Pick<FastifyInstance, 'addHook'>): void {
    instance.addHook('onRequest', ({ raw }, _reply, done) => {
      done(this.begin(raw));
    });
    instance.addHook('preParsing', ({ raw }, _reply, payload, done) => {
      if (hasBody(raw)) endCall(raw);
      done(null, payload);
    });
    instance.addHook('preValidation', ({ raw }, _reply, done) => {
      done(this.begin(raw));
    });
    instance.addHook('onSend', ({ raw }, _reply, payload, done) => {
      endCall(raw);
      done(null, payload);
    });
    instance.addHook('onResponse', ({ raw }, _reply, done) => {
      endCall(raw);
      done();
    });
  }

  private begin(request: IncomingMessage): ApiError | undefined {
    // A preflight asks for nothing of a store, and pages could not read its refusal.
    if (leaves.has(request) || !this.guarded.has(request) || request.method === 'OPTIONS') return undefined;
    if (this.working >= this.limits.calls) return this.refuse();
    this.working += 1;
    leaves.set(request, () => void (this.working -= 1));
    return undefined;
  }
}
