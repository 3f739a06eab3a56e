import type { BudgetRule, BudgetState } from './rule';

const MINUTE_MS = 60_000;
/** Clocks of processes differ by less; a state further ahead comes from a wrong clock. */
const LARGEST_SKEW_MS = MINUTE_MS;
const LEASE_LIFE_MS = 10_000;
const SMALLEST_SHARE = 20;
const ALWAYS = 0;
const ROUNDING = 1e-6;

/** GCRA: `at` is the time at which the even rate has paid for all taken calls; it lies at most a minute ahead. */
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
