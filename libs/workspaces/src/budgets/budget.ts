import { BudgetContended } from './budgets.store';
import { Lease } from './lease';
import type { Outage } from './outage';
import { Recent } from './recent';
import type { BudgetRule, BudgetState, Grant } from './rule';

const MOST_WORKSPACES = 10_000;
/** Tokens on their way back at a time; while the database hangs, further ones are lost rather than kept waiting for it. */
const MOST_RETURNING = 100;

/** Where budgets are written down for all processes. */
export interface KeepsBudgets {
  change<T extends { readonly state: BudgetState | undefined }>(ws: string, budget: string, decide: (seen: BudgetState | undefined) => T): Promise<T>;
}

export interface BudgetParts {
  /** Distinguishes the budgets of a workspace. */
  readonly name: string;
  readonly rule: BudgetRule;
  readonly store: KeepsBudgets;
  readonly outage: Outage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** How long a call waits for the database before this process decides alone. */
  readonly patienceMs: number;
}

/** What this process knows of a workspace: its lease, and what the budget would be had nobody else called. */
interface Account {
  readonly ws: string;
  readonly lease: Lease;
  alone: BudgetState | undefined;
  refill: Promise<boolean> | undefined;
  waiting: number;
}

/**
 * A budget of workspaces over all processes. Calls are paid from tokens at hand; more are leased from the database, once for all calls of
 * this process and ahead of need, so that hardly any call writes or waits. While the database is slow or away, the limit holds for each
 * process alone: a workspace that may call too often does less harm than one that cannot call.
 */
export class Budget {
  /** How many were refused, and how many this process decided alone. */
  refused = 0;
  decidedAlone = 0;
  private returning = 0;
  private readonly accounts = new Recent<Account>(MOST_WORKSPACES);

  constructor(private readonly parts: BudgetParts) {}

  /** Takes one of a workspace's tokens. Answers 0 where it could, else how many milliseconds to wait. Never throws. */
  async take(ws: string): Promise<number> {
    const account = this.accountOf(ws);
    const waitMs = this.atHand(account) ?? (await this.afterRefill(account));
    if (waitMs > 0) this.refused += 1;
    return waitMs;
  }

  /** Puts back a token that was taken at a time (milliseconds since 1970) and not used. Where that fails it is lost to its workspace. */
  async giveBack(ws: string, takenAtMs: number): Promise<void> {
    const account = this.accountOf(ws);
    const alone = account.alone && this.parts.rule.giveBack?.(account.alone, takenAtMs, 1);
    if (!alone) return;
    account.alone = alone;
    if (!account.lease.keep(this.parts.clock())) await this.writeBack(ws, takenAtMs, 1);
  }

  /** Puts back what this process holds of every workspace, for its end. */
  async close(): Promise<void> {
    const now = this.parts.clock();
    if (!this.parts.rule.giveBack) return;
    for (const [ws, { lease }] of this.accounts.all()) await this.writeBack(ws, now, lease.surrender(now));
  }

  private accountOf(ws: string): Account {
    const known = this.accounts.get(ws);
    if (known) return known;
    const account: Account = { ws, lease: new Lease(this.parts.rule.largestLease), alone: undefined, refill: undefined, waiting: 0 };
    this.accounts.set(ws, account);
    return account;
  }

  /** What can be said without asking; undefined: nothing. */
  private atHand(account: Account): number | undefined {
    const now = this.parts.clock();
    if (!account.lease.spend(now)) return account.lease.waitMs(now);
    account.alone = this.parts.rule.grant(account.alone, now, 1).state ?? account.alone;
    if (account.lease.isLow(now)) void this.refill(account);
    return 0;
  }

  private async afterRefill(account: Account): Promise<number> {
    const { outage, patienceMs } = this.parts;
    if (outage.isOn) {
      if (outage.mayProbe()) void this.refill(account);
      return this.decideAlone(account);
    }
    const patience = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => {
      outage.begin(new Error('the database was too slow'));
      patience.resolve(false);
    }, patienceMs);
    account.waiting += 1;
    try {
      // Those who wait share what comes; who went away empty asks again.
      while (await Promise.race([this.refill(account), patience.promise])) {
        const waitMs = this.atHand(account);
        if (waitMs !== undefined) return waitMs;
      }
      return this.decideAlone(account);
    } finally {
      account.waiting -= 1;
      clearTimeout(timer);
    }
  }

  private decideAlone(account: Account): number {
    const { state, waitMs } = this.parts.rule.grant(account.alone, this.parts.clock(), 1);
    account.alone = state ?? account.alone;
    this.decidedAlone += 1;
    return waitMs;
  }

  /** False where the database could not be asked. */
  private refill(account: Account): Promise<boolean> {
    return (account.refill ??= this.lease(account).finally(() => {
      account.refill = undefined;
    }));
  }

  private async lease({ ws, lease, waiting }: Account): Promise<boolean> {
    const { name, rule, store, outage, clock, patienceMs } = this.parts;
    const begin = performance.now();
    try {
      const wanted = lease.wanted(clock(), waiting);
      const granted = await store.change<Grant>(ws, name, (seen) => rule.grant(seen, clock(), wanted));
      lease.take(granted, clock());
      if (performance.now() - begin < patienceMs) outage.end();
      return true;
    } catch (error) {
      this.troubled(error);
      return false;
    }
  }

  private async writeBack(ws: string, takenAtMs: number, tokens: number): Promise<void> {
    const { name, rule, store } = this.parts;
    if (tokens === 0 || this.returning === MOST_RETURNING) return;
    this.returning += 1;
    try {
      await store.change(ws, name, (seen) => ({ state: seen && rule.giveBack?.(seen, takenAtMs, tokens) }));
    } catch (error) {
      this.troubled(error);
    } finally {
      this.returning -= 1;
    }
  }

  /** Other processes being quicker is no outage. */
  private troubled(error: unknown): void {
    if (!(error instanceof BudgetContended)) this.parts.outage.begin(error);
  }
}
