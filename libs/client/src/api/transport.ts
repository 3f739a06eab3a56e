import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterMs } from '@opendsr-service/contracts';
import { readUpTo } from '../bytes';
import { DsrApiError, DsrConnectionError, errorBodyOf } from './errors';
import { mayHaveActed, waitBeforeRetry, type RetryRules, type TryOutcome } from './retry';

/** A list of 150 requests with the shares of many participants stays far below. */
const ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;
const CHANCES = 2 ** 32;

/** What a client takes from outside: the network, time and chance. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly chance: () => number;
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export const REAL_SURROUNDINGS: Surroundings = {
  fetch: (...call) => fetch(...call),
  now: () => new Date(),
  chance: () => randomInt(CHANCES) / CHANCES,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** How a transport tries. */
export interface Pace {
  readonly retry: RetryRules;
  /** For one try, from the first byte sent to the last one read. */
  readonly timeoutMs: number;
}

export interface Call {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether it may be made again when its answer was lost. */
  readonly idempotent: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that came, whatever its status. `body` is undefined where it was left for the caller to read. */
export interface Answer {
  readonly response: Response;
  readonly body: Buffer | undefined;
}

export interface Answered extends Answer {
  /** Whether an earlier try of this call may have had its effect. */
  readonly mayHaveActed: boolean;
}

/** Makes calls, each a number of times if it must (docs/errors.md, "Retry"). */
export class Transport {
  constructor(
    private readonly pace: Pace,
    private readonly around: Surroundings,
  ) {}

  /** The last answer, of whatever status. Rejects with a DsrConnectionError where none came, or with the reason of the caller's signal. */
  async call(call: Call, read: 'whole' | 'errors only' = 'whole'): Promise<Answered> {
    const { retry } = this.pace;
    const end = this.around.now().getTime() + retry.deadlineMs;
    for (let attempt = 1, acted = false; ; attempt++) {
      const tried = await this.tryOnce(call, read, end);
      const outcome = this.outcomeOf(tried);
      const waitMs = waitBeforeRetry(outcome, {
        rules: retry,
        attempt,
        idempotent: call.idempotent,
        chance: this.around.chance(),
      });
      if (waitMs === undefined || this.around.now().getTime() + waitMs >= end) {
        if (tried instanceof DsrConnectionError) throw tried;
        return { ...tried, mayHaveActed: acted };
      }
      acted ||= mayHaveActed(outcome);
      await this.around.sleep(waitMs, call.signal).catch((error: unknown) => throwFor(call.signal, error));
    }
  }

  /** What an answer that is an error says. */
  apiError({ response, body }: Answer): DsrApiError {
    const requestId = response.headers.get('x-request-id') ?? undefined;
    return new DsrApiError({
      status: response.status,
      ...errorBodyOf(body?.toString() ?? ''),
      requestId,
      retryAfterMs: this.retryAfterMs(response),
    });
  }

  private async tryOnce(
    { url, method, headers, body, signal }: Call,
    read: 'whole' | 'errors only',
    end: number,
  ): Promise<Answer | DsrConnectionError> {
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), Math.min(this.pace.timeoutMs, end - this.around.now().getTime()));
    try {
      // A redirect is not followed: the credentials are for this address.
      const response = await this.around.fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([timer.signal, ...(signal ? [signal] : [])]),
        ...(body !== undefined && { body }),
      });
      return { response, body: read === 'whole' || !response.ok ? await wholeBody(response) : undefined };
    } catch (error) {
      signal?.throwIfAborted();
      return new DsrConnectionError(timer.signal.aborted ? 'no answer came in time' : 'the connection failed', {
        cause: error,
      });
    } finally {
      clearTimeout(timeout);
    }
  }

  private outcomeOf(tried: Answer | DsrConnectionError): TryOutcome {
    if (tried instanceof DsrConnectionError) return { status: undefined, retryAfterMs: undefined };
    return { status: tried.response.status, retryAfterMs: this.retryAfterMs(tried.response) };
  }

  private readonly retryAfterMs = ({ headers }: Response): number | undefined =>
    retryAfterMs(headers.get('retry-after') ?? '', this.around.now());
}

async function wholeBody(response: Response): Promise<Buffer> {
  const body = response.body ? await readUpTo(response.body, ANSWER_LIMIT_BYTES) : Buffer.alloc(0);
  if (!body) throw new Error(`the answer is larger than ${String(ANSWER_LIMIT_BYTES)} bytes`);
  return body;
}

/** A wait that the caller ended fails with the caller's reason, as the call itself does. */
function throwFor(signal: AbortSignal | undefined, error: unknown): never {
  signal?.throwIfAborted();
  throw error;
}
