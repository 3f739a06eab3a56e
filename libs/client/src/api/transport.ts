import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterMs } from '@opendsr-service/contracts';
import { readUpTo } from '../bytes';
import { DsrApiError, DsrConnectionError, errorBodyOf } from './errors';
import { mayHaveActed, waitBeforeRetry, type RetryRules, type TryOutcome } from './retry';

const ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;
const CHANCES = 2 ** 32;

/** The network, clock and randomness of a client. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** At least 0, below 1. */
  readonly chance: () => number;
  /** Rejects with the reason of the signal. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export const REAL_SURROUNDINGS: Surroundings = {
  fetch: (...call) => fetch(...call),
  now: () => new Date(),
  chance: () => randomInt(CHANCES) / CHANCES,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

export interface Pace {
  readonly retry: RetryRules;
  readonly timeoutMs: number;
}

export interface Call {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly idempotent: boolean;
  readonly signal?: AbortSignal | undefined;
  /** By when it ends with its waits; the default is `deadline()`. */
  readonly end?: number | undefined;
}

/** `body`: undefined if the caller reads it. */
export interface Answer {
  readonly response: Response;
  readonly body: Buffer | undefined;
}

export interface Answered extends Answer {
  readonly mayHaveActed: boolean;
}

/** Sends calls with retries (docs/errors.md, "Retry"). */
export class Transport {
  constructor(
    private readonly pace: Pace,
    private readonly around: Surroundings,
  ) {}

  /** Of a call that begins now. */
  deadline(): number {
    return this.around.now().getTime() + this.pace.retry.deadlineMs;
  }

  /** Rejects with a DsrConnectionError, or with the reason of the signal. */
  async call(call: Call, read: 'whole' | 'errors only' = 'whole'): Promise<Answered> {
    const { retry } = this.pace;
    const { end = this.deadline() } = call;
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
      // A redirect must not receive the credentials.
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

function throwFor(signal: AbortSignal | undefined, error: unknown): never {
  signal?.throwIfAborted();
  throw error;
}
