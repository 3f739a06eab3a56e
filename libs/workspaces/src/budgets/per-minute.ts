import type { BudgetRule, BudgetState } from './rule';

const MINUTE_MS = 60_000;
/** Clocks of processes differ by less. What lies further ahead was written by a clock that was wrong, and must lock nobody out. */
const LARGEST_SKEW_MS = MINUTE_MS;
/** How long a process may keep tokens that it does not use. */
const LEASE_LIFE_MS = 10_000;
const SMALLEST_SHARE = 20;
/** Tokens of any minute are worth the same. */
const ALWAYS = 0;
/** Sums of fractions of a millisecond may fall short of what they stand for. */
const ROUNDING = 1e-6;

/**
 * So many calls a minute, all at once or spread out (GCRA): `at` is when everything that was taken would be paid for at the even rate,
 * and it may lie a minute ahead. From any moment on, no more are granted than the limit and what the even rate adds since.
 */
export function perMinute(limit: number): BudgetRule {
  const eachMs = MINUTE_MS / limit;
  return {
    largestLease: Math.max(1, Math.floor(limit / SMALLEST_SHARE)),
    grant: (state, nowMs, wanted) => {
      const paidAt = paidAtOf(state, nowMs);
      const free = Math.floor((nowMs + MINUTE_MS - paidAt) / eachMs + ROUNDING);
      const tokens = Math.max(0, Math.min(wanted, free));
      if (tokens === 0)
        return {
          state: undefined,
          tokens,
          period: ALWAYS,
          untilMs: nowMs,
          waitMs: paidAt + eachMs - nowMs - MINUTE_MS,
        };
      return {
        state: { at: paidAt + tokens * eachMs, taken: 0 },
        tokens,
        period: ALWAYS,
        untilMs: nowMs + LEASE_LIFE_MS,
        waitMs: 0,
      };
    },
  };
}

function paidAtOf(state: BudgetState | undefined, nowMs: number): number {
  if (state === undefined || state.at > nowMs + MINUTE_MS + LARGEST_SKEW_MS) return nowMs;
  return Math.max(state.at, nowMs);
}
