export interface TryOutcome {
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
}

export interface RetryOptions {
  /** Number of tries. Default 5; 1 disables retries. */
  readonly maxAttempts?: number;
  /** For the whole call with its waits. Default 120,000. */
  readonly deadlineMs?: number;
  /** After the first try; doubles with each. Default 250. */
  readonly firstGapMs?: number;
  /** Default 10,000. */
  readonly maxGapMs?: number;
  /** A call whose `Retry-After` is longer is not retried. Default 60,000. */
  readonly maxRetryAfterMs?: number;
}

export type RetryRules = Required<RetryOptions>;

export const RETRY_DEFAULTS: RetryRules = {
  maxAttempts: 5,
  deadlineMs: 120_000,
  firstGapMs: 250,
  maxGapMs: 10_000,
  maxRetryAfterMs: 60_000,
};

const TOO_MANY_CALLS = 429;
const REQUEST_TIMEOUT = 408;
const SERVER_FAULT = 500;
/** They name what a repeat does not change: the method, and the version of HTTP. */
const LASTING = new Set([501, 505]);

/** Then only idempotent calls are retried: a 503 may come from a store that answered too late. */
export const mayHaveActed = ({ status }: TryOutcome): boolean =>
  status === undefined || status === REQUEST_TIMEOUT || (status >= SERVER_FAULT && !LASTING.has(status));

interface Situation {
  readonly rules: RetryRules;
  readonly attempt: number;
  readonly idempotent: boolean;
  readonly chance: number;
}

/** Milliseconds; undefined: no retry. */
export function waitBeforeRetry(
  outcome: TryOutcome,
  { rules, attempt, idempotent, chance }: Situation,
): number | undefined {
  if (attempt >= rules.maxAttempts) return undefined;
  if (outcome.status !== TOO_MANY_CALLS && !(idempotent && mayHaveActed(outcome))) return undefined;
  if (outcome.retryAfterMs !== undefined)
    return outcome.retryAfterMs > rules.maxRetryAfterMs ? undefined : outcome.retryAfterMs;
  // Half of the gap is random, so that clients spread.
  const gap = Math.min(rules.firstGapMs * 2 ** (attempt - 1), rules.maxGapMs);
  return Math.round(gap / 2 + (gap / 2) * chance);
}
