import type { BudgetRule, BudgetState } from './rule';

const DAY_MS = 86_400_000;
const SMALLEST_SHARE = 1_000;
/** Towards the end of a day's number leases shrink, so that little of it lies unused with one process while another has none. */
const SHARE_OF_REST = 20;

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/**
 * So many in a UTC day: `at` is the day's beginning and the period of its tokens, `taken` how many have gone. Never more are granted,
 * whatever is lost on the way.
 */
export function perDay(limit: number): BudgetRule {
  return {
    largestLease: Math.max(1, Math.floor(limit / SMALLEST_SHARE)),
    grant: (state, nowMs, wanted, waiting = 0) => {
      const { at, taken } = countOf(state, nowMs);
      const left = limit - taken;
      const tokens = Math.max(0, Math.min(wanted, left, Math.max(1, waiting, Math.floor(left / SHARE_OF_REST))));
      if (tokens === 0) return { state: undefined, tokens, period: at, untilMs: nowMs, waitMs: at + DAY_MS - nowMs };
      return { state: { at, taken: taken + tokens }, tokens, period: at, untilMs: at + DAY_MS, waitMs: 0 };
    },
    refund: ({ at, taken }, period, tokens) => (at === period ? { at, taken: Math.max(0, taken - tokens) } : undefined),
  };
}

/** A clock that is behind may still be in the day before; tomorrow has begun where another process says so, but not the day after. */
function countOf(state: BudgetState | undefined, nowMs: number): BudgetState {
  const today = dayOf(nowMs);
  return state && (state.at === today || state.at === today + DAY_MS) ? state : { at: today, taken: 0 };
}
