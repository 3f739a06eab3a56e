import { LRUCache } from 'lru-cache';
import { BudgetContended, type Decide, type Decision } from './budgets.store';
import { TokenLease } from './token-lease';
import type { Outage } from './outage';
import type { BudgetRule, BudgetState, Grant } from './rule';

const MOST_WORKSPACES = 10_000;
/** The wait for a call when too many processes competed. */
const CONTENDED_WAIT_MS = 1_000;

interface BudgetStore {
  change<T extends Decision>(ws: string, budget: string, decide: Decide<T>, late: () => void): Promise<T>;
}

interface BudgetParts {
  readonly name: string;
  readonly rule: BudgetRule;
  readonly store: BudgetStore;
  readonly outage: Outage;
  readonly clock: () => number;
}

/** A token that the database debited, so that it can be returned. */
export interface Token {
  readonly ws: string;
  readonly period: number;
}

interface TakeResult {
  /** 0: the call may proceed; else milliseconds. */
  readonly waitMs: number;
  readonly token?: Token;
}

interface PendingReturn {
  readonly period: number;
  readonly tokens: number;
}

/** `unanswered`: an error, or not in time. */
type RefillOutcome = 'answered' | 'contended' | 'unanswered';

interface Refill {
  readonly done: Promise<RefillOutcome>;
  readonly late: Promise<RefillOutcome>;
}

interface Plan extends Decision {
  readonly after: BudgetState | undefined;
  readonly grant: Grant | undefined;
  readonly sentReturn: PendingReturn;
}

interface Account {
  readonly ws: string;
  readonly lease: TokenLease;
  /** The last answer of the database, plus what this process granted alone. */
  lastState: BudgetState | undefined;
  pendingReturn: PendingReturn;
  refill: Refill | undefined;
  waitingCalls: number;
}

const NOTHING_PENDING: PendingReturn = { period: 0, tokens: 0 };

/** A budget of each workspace. Processes lease tokens ahead of need; without an answer of the database each one decides alone. */
export class Budget {
  refused = 0;
  decidedAlone = 0;
  private readonly accounts = new LRUCache<string, Account>({ maxSize: MOST_WORKSPACES, sizeCalculation: () => 1 });

  constructor(private readonly parts: BudgetParts) {}

  /** Takes a token of the workspace or returns the wait. Never throws. */
  async takeToken(ws: string): Promise<TakeResult> {
    const account = this.accountOf(ws);
    const taken = this.takeLocally(account) ?? (await this.takeAfterRefill(account));
    if (taken.waitMs > 0) this.refused += 1;
    return taken;
  }

  /** Returns a token in the background; a failure loses it. */
  returnToken({ ws, period }: Token): void {
    const account = this.accountOf(ws);
    if (account.lease.returnToken(period, this.parts.clock())) return;
    account.pendingReturn = mergeReturns(account.pendingReturn, { period, tokens: 1 });
    void this.flushReturns(account);
  }

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
      // The write may have succeeded; a second return would double the tokens.
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
    if (account.pendingReturn.period === sentReturn.period)
      account.pendingReturn = { period: sentReturn.period, tokens: account.pendingReturn.tokens - sentReturn.tokens };
    if (grant) account.lease.applyGrant(grant, this.parts.clock());
  }
}

/** The later period counts; tokens of an earlier one are worthless. */
function mergeReturns(one: PendingReturn, other: PendingReturn): PendingReturn {
  if (one.tokens === 0 || other.tokens === 0) return one.tokens === 0 ? other : one;
  if (one.period !== other.period) return one.period > other.period ? one : other;
  return { period: one.period, tokens: one.tokens + other.tokens };
}
