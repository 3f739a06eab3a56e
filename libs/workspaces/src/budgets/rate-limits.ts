import { withDeadline } from '@opendsr-service/contracts';
import type { Connection } from 'mongoose';
import { Budget } from './budget';
import { BudgetsStore } from './budgets.store';
import { Outage, type OutageLogger } from './outage';
import { perDay } from './per-day';
import { perMinute } from './per-minute';
import type { BudgetRule } from './rule';
import { SourceBudget } from './source-budget';

export type WorkspaceBudget = Pick<Budget, 'takeToken' | 'returnToken'>;
export type SourceCallBudget = Pick<SourceBudget, 'takeToken'>;

const LATE_AFTER_MS = 250;
const CLOSING_MS = 2_000;

const unlimited: WorkspaceBudget = { takeToken: () => Promise.resolve({ waitMs: 0 }), returnToken: () => undefined };
const unlimitedSource: SourceCallBudget = { takeToken: () => 0 };

/** The rate limits of a service, over its own database (protocol, "Limits"). Limit 0: unlimited. Names are metric labels. */
export class RateLimits {
  private readonly store: BudgetsStore;
  private readonly outage: Outage;
  private readonly budgets = new Map<string, Budget>();
  private readonly sources = new Map<string, SourceBudget>();

  /** `clock` returns milliseconds since 1970. `lateAfterMs`: after this time without an answer a process decides alone. */
  constructor(
    connection: Connection,
    private readonly clock: () => number,
    logger: OutageLogger,
    lateAfterMs = LATE_AFTER_MS,
  ) {
    this.store = new BudgetsStore(connection, lateAfterMs);
    this.outage = new Outage(logger, clock);
  }

  perMinute(name: string, limit: number): WorkspaceBudget {
    return limit === 0 ? unlimited : this.budget(name, perMinute(limit));
  }

  /** Per UTC day. */
  perDay(name: string, limit: number): WorkspaceBudget {
    return limit === 0 ? unlimited : this.budget(name, perDay(limit));
  }

  /** In this process alone. */
  bySource(name: string, limit: number): SourceCallBudget {
    if (limit === 0) return unlimitedSource;
    const source = new SourceBudget(limit, this.clock);
    this.sources.set(name, source);
    return source;
  }

  get refused(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.budgets, ...this.sources].map(([name, { refused }]) => [name, refused]));
  }

  get decidedAlone(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.budgets].map(([name, { decidedAlone }]) => [name, decidedAlone]));
  }

  get metrics(): {
    name: string;
    help: string;
    labels: ['budget'];
    read: () => { labels: { budget: string }; value: number }[];
  }[] {
    const byBudget = (counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).map(([budget, value]) => ({ labels: { budget }, value }));
    return [
      {
        name: 'opendsr_rate_limited_total',
        help: 'Calls that were answered with 429, by the budget that was spent.',
        labels: ['budget'],
        read: () => byBudget(this.refused),
      },
      {
        name: 'opendsr_rate_limit_fallback_total',
        help: 'Calls that this process counted alone, because the database was slow or away, by budget.',
        labels: ['budget'],
        read: () => byBudget(this.decidedAlone),
      },
    ];
  }

  async close(): Promise<void> {
    const closed = Promise.all([...this.budgets.values()].map((budget) => budget.close()));
    await withDeadline(closed, CLOSING_MS, () => undefined);
  }

  private budget(name: string, rule: BudgetRule): Budget {
    const budget = new Budget({ name, rule, store: this.store, outage: this.outage, clock: this.clock });
    this.budgets.set(name, budget);
    return budget;
  }
}
