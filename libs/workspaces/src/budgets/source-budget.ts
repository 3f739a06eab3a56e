import { callerNetwork } from '@opendsr-service/contracts';
import { LRUCache } from 'lru-cache';
import { perMinute } from './per-minute';
import type { BudgetRule, BudgetState } from './rule';

const MOST_SOURCES = 10_000;

/** Counted by this process alone. A forgotten source starts again, which takes 10,000 other sources since its last call. */
export class SourceBudget {
  refused = 0;
  private readonly rule: BudgetRule;
  private readonly states = new LRUCache<string, BudgetState>({ maxSize: MOST_SOURCES, sizeCalculation: () => 1 });

  constructor(
    limit: number,
    private readonly clock: () => number,
  ) {
    this.rule = perMinute(limit);
  }

  /** Returns 0 or the milliseconds to wait. */
  takeToken(address: string): number {
    const source = callerNetwork(address);
    const { state, waitMs } = this.rule.grant(this.states.get(source), this.clock(), 1);
    if (state) this.states.set(source, state);
    else this.refused += 1;
    return waitMs;
  }
}
