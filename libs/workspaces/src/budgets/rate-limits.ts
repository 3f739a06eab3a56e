import { withDeadline } from '@opendsr-service/contracts';
import type { Connection } from 'mongoose';
import { Budget } from './budget';
import { BudgetsStore } from './budgets.store';
import { Outage, type OutageLogger } from './outage';
import { perDay } from './per-day';
import { perMinute } from './per-minute';
import type { BudgetRule } from './rule';
import { SourceBudget } from './source-budget';

/** Of what a workspace may use so much and no more. */
export type WorkspaceBudget = Pick<Budget, 'takeToken' | 'returnToken'>;
export type SourceCallBudget = Pick<SourceBudget, 'takeToken'>;

const LATE_AFTER_MS = 250;
/** What a process holds is not worth a longer stop. */
const CLOSING_MS = 2_000;

const unlimited: WorkspaceBudget = { takeToken: () => Promise.resolve({ waitMs: 0 }), returnToken: () => undefined };
const unlimitedSource: SourceCallBudget = { takeToken: () => 0 };

/** The rate limits of a service, over its own database (protocol, "Limits"). A limit of 0 is none. Names are labels of metrics. */
export class RateLimits {
  private readonly store: BudgetsStore;
  private readonly outage: Outage;
  private readonly budgets = new Map<string, Budget>();
  private readonly sources = new Map<string, SourceBudget>();

  /**
   * `clock` answers milliseconds since 1970. `lateAfterMs`: how long a call waits for one answer of the database
   * before this process decides alone.
   */
  constructor(
    connection: Connection,
    private readonly clock: () => number,
    logger: OutageLogger,
    lateAfterMs = LATE_AFTER_MS,
  ) {
    this.store = new BudgetsStore(connection, lateAfterMs);
    this.outage = new Outage(logger, clock);
  }

  /** So many a minute of each workspace, over all processes. */
  perMinute(name: string, limit: number): WorkspaceBudget {
    return limit === 0 ? unlimited : this.budget(name, perMinute(limit));
  }

  /** So many in a UTC day of each workspace, over all processes. */
  perDay(name: string, limit: number): WorkspaceBudget {
    return limit === 0 ? unlimited : this.budget(name, perDay(limit));
  }

  /** So many a minute from each source address, in this process. */
  bySource(name: string, limit: number): SourceCallBudget {
    if (limit === 0) return unlimitedSource;
    const source = new SourceBudget(limit, this.clock);
    this.sources.set(name, source);
    return source;
  }

  /** How many calls were refused, by budget. */
  get refused(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.budgets, ...this.sources].map(([name, { refused }]) => [name, refused]));
  }

  /** How many calls were decided without the database, because it was slow or away, by budget. */
  get decidedAlone(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.budgets].map(([name, { decidedAlone }]) => [name, decidedAlone]));
  }

  /** Both counts as metrics of a service. */
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

  /** Puts back what this process holds and could not use any more, and awaits what is on its way back. */
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
