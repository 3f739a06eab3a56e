import type { BudgetRule, BudgetState } from './rule';

const DAY_MS = 86_400_000;
const SMALLEST_SHARE = 1_000;
/** Leases shrink towards the end, so that little lies unused in one process. */
const SHARE_OF_REST = 20;

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** At most `limit` in a UTC day, at which `at` begins; `taken` counts granted tokens, lost ones included. */
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

/** Clocks differ: a state of tomorrow is valid, one of a later day is not. */
function countOf(state: BudgetState | undefined, nowMs: number): BudgetState {
  const today = dayOf(nowMs);
  return state && (state.at === today || state.at === today + DAY_MS) ? state : { at: today, taken: 0 };
}
