export interface TryOutcome {
  /** Undefined without a complete answer. */
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
}

export interface RetryOptions {
  /** All tries. Default 5; 1 disables retries. */
  readonly maxAttempts?: number;
  /** Milliseconds for the whole call, waits included. Default 120,000. */
  readonly deadlineMs?: number;
  /** Milliseconds after the first try; doubles with each. Default 250. */
  readonly firstGapMs?: number;
  /** Milliseconds. Default 10,000. */
  readonly maxGapMs?: number;
  /** Upper limit of `Retry-After`, in milliseconds. Default 60,000. */
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

const ALWAYS_RETRIED = new Set([429, 503]);
/** The call may have taken effect, so only idempotent calls are retried. */
const UNCERTAIN = new Set([408, 500, 502, 504]);

/** A 503 may come from a store that answered too late. */
export const mayHaveActed = ({ status }: TryOutcome): boolean =>
  status === undefined || status === 503 || UNCERTAIN.has(status);

export interface Situation {
  readonly rules: RetryRules;
  /** From 1. */
  readonly attempt: number;
  readonly idempotent: boolean;
  /** From 0 to below 1. */
  readonly chance: number;
}

/** Milliseconds; undefined: no retry. */
export function waitBeforeRetry(
  outcome: TryOutcome,
  { rules, attempt, idempotent, chance }: Situation,
): number | undefined {
  if (attempt >= rules.maxAttempts) return undefined;
  const invited = outcome.status !== undefined && ALWAYS_RETRIED.has(outcome.status);
  if (!invited && !(idempotent && mayHaveActed(outcome))) return undefined;
  if (invited && outcome.retryAfterMs !== undefined) return Math.min(outcome.retryAfterMs, rules.maxRetryAfterMs);
  // Half of the gap is random, so that clients do not return together.
  const gap = Math.min(rules.firstGapMs * 2 ** (attempt - 1), rules.maxGapMs);
  return Math.round(gap / 2 + (gap / 2) * chance);
}
