import { LRUCache } from 'lru-cache';
import { BudgetContended, type Decide, type Decision } from './budgets.store';
import { TokenLease } from './token-lease';
import type { Outage } from './outage';
import type { BudgetRule, BudgetState, Grant } from './rule';

const MOST_WORKSPACES = 10_000;
/** What a call is told for which so many processes compete that this one came away without an answer. */
const CONTENDED_WAIT_MS = 1_000;

/** Where budgets are written down for all processes. `late` is called when the database takes longer for one answer than it should. */
export interface BudgetStore {
  change<T extends Decision>(ws: string, budget: string, decide: Decide<T>, late: () => void): Promise<T>;
}

export interface BudgetParts {
  /** Distinguishes the budgets of a workspace. */
  readonly name: string;
  readonly rule: BudgetRule;
  readonly store: BudgetStore;
  readonly outage: Outage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** A token that was debited in the database, and may be put back there. */
export interface Token {
  readonly ws: string;
  readonly period: number;
}

export interface TakeResult {
  /** 0 where the call may go on, else for how many milliseconds it should wait. */
  readonly waitMs: number;
  /** Absent where nothing was debited, as this process decided alone, or where nothing comes back. */
  readonly token?: Token;
}

interface PendingReturn {
  readonly period: number;
  readonly tokens: number;
}

/** How it ended to ask the database; `unanswered`: not, or not in time. */
type RefillOutcome = 'answered' | 'contended' | 'unanswered';

interface Refill {
  readonly done: Promise<RefillOutcome>;
  /** Settles only where the database keeps everybody waiting. */
  readonly late: Promise<RefillOutcome>;
}

interface Plan extends Decision {
  /** What the budget is when the plan is carried out. */
  readonly after: BudgetState | undefined;
  readonly grant: Grant | undefined;
  readonly sentReturn: PendingReturn;
}

/** What this process knows of a workspace. */
interface Account {
  readonly ws: string;
  readonly lease: TokenLease;
  /** The budget as the database last said, and what this process let through alone since. */
  lastState: BudgetState | undefined;
  /** What is to be put back, with the next refill. */
  pendingReturn: PendingReturn;
  refill: Refill | undefined;
  waitingCalls: number;
}

const NOTHING_PENDING: PendingReturn = { period: 0, tokens: 0 };

/**
 * A budget of workspaces over all processes. Calls are paid from tokens at hand; more are leased from the database, once for all calls of
 * this process and ahead of need, so that hardly any call writes or waits. While the database is slow or away for a workspace, each process
 * goes on alone from what it last saw there: a workspace that may call too often does less harm than one that cannot call.
 */
export class Budget {
  /** How many were refused, and how many this process decided alone. */
  refused = 0;
  decidedAlone = 0;
  private readonly accounts = new LRUCache<string, Account>({ max: MOST_WORKSPACES });

  constructor(private readonly parts: BudgetParts) {}

  /** Takes one of a workspace's tokens, or says how long to wait. Never throws. */
  async takeToken(ws: string): Promise<TakeResult> {
    const account = this.accountOf(ws);
    const taken = this.takeLocally(account) ?? (await this.takeAfterRefill(account));
    if (taken.waitMs > 0) this.refused += 1;
    return taken;
  }

  /** Puts back a token that was not used; nobody waits for it but `close`. Where that fails it is lost to its workspace. */
  returnToken({ ws, period }: Token): void {
    const account = this.accountOf(ws);
    if (account.lease.returnToken(period, this.parts.clock())) return;
    account.pendingReturn = mergeReturns(account.pendingReturn, { period, tokens: 1 });
    void this.flushReturns(account);
  }

  /** Puts back what this process holds of every workspace, for its end, and awaits what is on its way. */
  async close(): Promise<void> {
    if (!this.parts.rule.refund) return;
    for (const account of [...this.accounts.values()]) {
      await account.refill?.done;
      const { lease } = account;
      account.pendingReturn = mergeReturns(account.pendingReturn, {
        period: lease.period,
        tokens: lease.drain(this.parts.clock()),
      });
      await this.flushReturns(account);
    }
  }

  private accountOf(ws: string): Account {
    const known = this.accounts.get(ws);
    if (known) return known;
    const account: Account = {
      ws,
      lease: new TokenLease(this.parts.rule.largestLease),
      lastState: undefined,
      pendingReturn: NOTHING_PENDING,
      refill: undefined,
      waitingCalls: 0,
    };
    this.accounts.set(ws, account);
    return account;
  }

  /** What can be said without asking; undefined: nothing. */
  private takeLocally(account: Account): TakeResult | undefined {
    const { ws, lease } = account;
    const now = this.parts.clock();
    if (!lease.spend(now)) {
      const waitMs = lease.waitMs(now);
      return waitMs === undefined ? undefined : { waitMs };
    }
    const token = this.parts.rule.refund && { ws, period: lease.period };
    if (lease.isLow(now)) this.refill(account);
    return { waitMs: 0, token };
  }

  private async takeAfterRefill(account: Account): Promise<TakeResult> {
    account.waitingCalls += 1;
    try {
      // Those who wait share what comes; who went away empty asks again.
      for (;;) {
        const { done, late } = this.refill(account);
        const outcome = await Promise.race([done, late]);
        if (outcome === 'unanswered') return this.decideAlone(account);
        if (outcome === 'contended') return { waitMs: CONTENDED_WAIT_MS };
        const taken = this.takeLocally(account);
        if (taken) return taken;
      }
    } finally {
      account.waitingCalls -= 1;
    }
  }

  private decideAlone(account: Account): TakeResult {
    const { state, waitMs } = this.parts.rule.grant(account.lastState, this.parts.clock(), 1);
    account.lastState = state ?? account.lastState;
    this.decidedAlone += 1;
    return { waitMs };
  }

  private async flushReturns(account: Account): Promise<void> {
    while (account.pendingReturn.tokens > 0) await this.refill(account).done;
  }

  /** One at a time for each workspace. */
  private refill(account: Account): Refill {
    if (account.refill) return account.refill;
    const { promise: late, resolve } = Promise.withResolvers<RefillOutcome>();
    const done = this.runRefill(account, () => {
      this.parts.outage.recordFailure(new Error('the database was too slow'));
      resolve('unanswered');
    }).finally(() => {
      account.refill = undefined;
    });
    return (account.refill = { done, late });
  }

  private async runRefill(account: Account, late: () => void): Promise<RefillOutcome> {
    const { name, store, outage } = this.parts;
    try {
      this.applyPlan(account, await store.change(account.ws, name, (seen) => this.plan(account, seen), late));
      outage.recordSuccess();
      return 'answered';
    } catch (error) {
      if (error instanceof BudgetContended) return 'contended';
      // It may have been written all the same: what is put back twice would be spent twice.
      account.pendingReturn = NOTHING_PENDING;
      outage.recordFailure(error);
      return 'unanswered';
    }
  }

  private plan({ lease, pendingReturn, waitingCalls }: Account, seen: BudgetState | undefined): Plan {
    const { rule, clock } = this.parts;
    const now = clock();
    const credited =
      seen && pendingReturn.tokens > 0 ? rule.refund?.(seen, pendingReturn.period, pendingReturn.tokens) : undefined;
    const wanted = lease.tokensWanted(now, waitingCalls);
    const grant = wanted > 0 ? rule.grant(credited ?? seen, now, wanted, waitingCalls) : undefined;
    const state = grant?.state ?? credited;
    return { state, after: state ?? seen, grant, sentReturn: pendingReturn };
  }

  private applyPlan(account: Account, { after, grant, sentReturn }: Plan): void {
    account.lastState = after;
    // More may have come back meanwhile.
    if (account.pendingReturn.period === sentReturn.period)
      account.pendingReturn = { period: sentReturn.period, tokens: account.pendingReturn.tokens - sentReturn.tokens };
    if (grant) account.lease.applyGrant(grant, this.parts.clock());
  }
}

/** Of two periods the later one counts: what is put back late into an earlier one is worth nothing any more. */
function mergeReturns(one: PendingReturn, other: PendingReturn): PendingReturn {
  if (one.tokens === 0 || other.tokens === 0) return one.tokens === 0 ? other : one;
  if (one.period !== other.period) return one.period > other.period ? one : other;
  return { period: one.period, tokens: one.tokens + other.tokens };
}
