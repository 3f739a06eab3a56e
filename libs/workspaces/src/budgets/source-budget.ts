import { callerNetwork } from '@opendsr-service/contracts';
import { LRUCache } from 'lru-cache';
import { perMinute } from './per-minute';
import type { BudgetRule, BudgetState } from './rule';

const MOST_SOURCES = 10_000;

/**
 * So many a minute from one source address, counted by this process alone. It remembers the 10,000 sources that called last: one is
 * forgotten, and may start anew, only when so many others called since it did. `clock` answers milliseconds since 1970.
 */
export class SourceBudget {
  /** How many were refused. */
  refused = 0;
  private readonly rule: BudgetRule;
  private readonly states = new LRUCache<string, BudgetState>({ max: MOST_SOURCES });

  constructor(
    limit: number,
    private readonly clock: () => number,
  ) {
    this.rule = perMinute(limit);
  }

  /** Takes one for an address. Answers 0 where it could, else how many milliseconds to wait. */
  takeToken(address: string): number {
    const source = callerNetwork(address);
    const { state, waitMs } = this.rule.grant(this.states.get(source), this.clock(), 1);
    if (state) this.states.set(source, state);
    else this.refused += 1;
    return waitMs;
  }
}
