/** What a single try came to, as far as trying again is concerned. */
export interface TryOutcome {
  /** Undefined where no whole answer came. */
  readonly status: number | undefined;
  /** What `Retry-After` asks for. */
  readonly retryAfterMs: number | undefined;
}

/** How often and how long a call is tried. Each has a default. */
export interface RetryOptions {
  /** Tries in all, the first one included. Default 5; 1 switches trying again off. */
  readonly maxAttempts?: number;
  /** What a whole call may take, waiting included. Default 120,000. */
  readonly deadlineMs?: number;
  /** The gap after the first try; it doubles with each. Default 250. */
  readonly firstGapMs?: number;
  /** The longest gap. Default 10,000. */
  readonly maxGapMs?: number;
  /** The longest that `Retry-After` is followed; where it asks for more, this is waited. Default 60,000. */
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

/** These ask for another try, of any call. */
const ALWAYS_RETRIED = new Set([429, 503]);
/** After these, and where no answer came, something may have been done: only a call that is safe to repeat is made again. */
const UNCERTAIN = new Set([408, 500, 502, 504]);

/** Whether a try may have had its effect, although its answer does not say so. A 503 may be that of a store which answered too late. */
export const mayHaveActed = ({ status }: TryOutcome): boolean =>
  status === undefined || status === 503 || UNCERTAIN.has(status);

export interface Situation {
  readonly rules: RetryRules;
  /** Tries made so far, from 1. */
  readonly attempt: number;
  readonly idempotent: boolean;
  /** From 0 to below 1. */
  readonly chance: number;
}

/** How long to wait before the next try, in milliseconds; undefined: there is none. */
export function waitBeforeRetry(
  outcome: TryOutcome,
  { rules, attempt, idempotent, chance }: Situation,
): number | undefined {
  if (attempt >= rules.maxAttempts) return undefined;
  const invited = outcome.status !== undefined && ALWAYS_RETRIED.has(outcome.status);
  if (!invited && !(idempotent && mayHaveActed(outcome))) return undefined;
  if (invited && outcome.retryAfterMs !== undefined) return Math.min(outcome.retryAfterMs, rules.maxRetryAfterMs);
  // Half of the gap is chance, so that many clients that failed together do not come back together.
  const gap = Math.min(rules.firstGapMs * 2 ** (attempt - 1), rules.maxGapMs);
  return Math.round(gap / 2 + (gap / 2) * chance);
}
