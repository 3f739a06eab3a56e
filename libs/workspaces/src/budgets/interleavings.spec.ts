import { Random } from '@opendsr-service/storage/testing';
import { TokenLease } from './token-lease';
import { perDay } from './per-day';
import { perMinute } from './per-minute';
import type { BudgetRule, BudgetState } from './rule';

const START = Date.UTC(2026, 10, 21, 23, 58);
const DAY_MS = 86_400_000;
const STEPS = 400;

interface Life {
  /** When each call was admitted. */
  readonly used: readonly number[];
  readonly processes: number;
}

/** Processes that spend one budget at random: bursts, pauses, returns, and stops that lose the held tokens. */
class Installation {
  readonly used: number[] = [];
  private readonly leases: TokenLease[];
  private written: BudgetState | undefined;
  private now = START;

  constructor(
    private readonly random: Random,
    private readonly rule: BudgetRule,
  ) {
    this.leases = Array.from({ length: 1 + random.below(5) }, () => new TokenLease(rule.largestLease));
  }

  live(mostAtOnce: number): Life {
    const { random, leases } = this;
    for (let step = 0; step < STEPS; step++) {
      const at = random.below(leases.length);
      this.burst(leases[at] as TokenLease, random.below(mostAtOnce));
      if (random.chance(0.02)) leases[at] = new TokenLease(this.rule.largestLease);
      this.now += random.chance(0.1) ? random.below(30_000) : random.below(400);
    }
    return { used: this.used, processes: leases.length };
  }

  private burst(lease: TokenLease, calls: number): void {
    for (let n = 0; n < calls && this.call(lease); n++) {
      if (this.rule.refund && this.random.chance(0.2)) this.giveBack(lease);
      else this.used.push(this.now);
      if (lease.isLow(this.now)) this.refill(lease);
    }
  }

  private call(lease: TokenLease): boolean {
    if (lease.spend(this.now)) return true;
    if (lease.waitMs(this.now) === undefined) this.refill(lease);
    return lease.spend(this.now);
  }

  private refill(lease: TokenLease): void {
    const grant = this.rule.grant(this.written, this.now, lease.tokensWanted(this.now, 1));
    this.written = grant.state ?? this.written;
    lease.applyGrant(grant, this.now);
  }

  private giveBack(lease: TokenLease): void {
    if (!lease.returnToken(lease.period, this.now))
      this.written = (this.written && this.rule.refund?.(this.written, lease.period, 1)) ?? this.written;
  }
}

const live = (random: Random, rule: BudgetRule, limit: number): Life =>
  new Installation(random, rule).live(20 + limit / 10);

/** The largest excess of calls over what any period allows. */
function worst(used: readonly number[], limit: number): number {
  let most = 0;
  let lowest = Infinity;
  used.forEach((at, n) => {
    const paid = (limit * (at - START)) / 60_000;
    lowest = Math.min(lowest, n - paid);
    most = Math.max(most, n + 1 - paid - lowest);
  });
  return most;
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

it.each([3, 40, 100, 1_000])(
  'a limit of %d a minute over several processes grants at most limit, rate and one lease a process',
  (limit) => {
    const rule = perMinute(limit);
    const beyond = seeds.map((seed) => {
      const { used, processes } = live(new Random(seed), rule, limit);
      return worst(used, limit) - limit - processes * rule.largestLease;
    });
    expect(beyond.findIndex((count) => count > 1e-6)).toBe(-1);
    // The limit can be reached: these lives would find a budget that grants more.
    expect(Math.max(...beyond)).toBeGreaterThan(-6 * rule.largestLease);
  },
);

it.each([3, 100, 2_500])(
  'a limit of %d a day over several processes is never exceeded, whatever is returned',
  (limit) => {
    const rule = perDay(limit);
    const most = seeds.map((seed) =>
      Math.max(
        ...[...Map.groupBy(live(new Random(seed), rule, limit).used, (at) => Math.floor(at / DAY_MS)).values()].map(
          ({ length }) => length,
        ),
      ),
    );
    expect(most.findIndex((count) => count > limit)).toBe(-1);
    expect(Math.max(...most)).toBe(limit);
  },
);
