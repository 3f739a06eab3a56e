import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { Budget } from './budget';
import { BudgetsStore } from './budgets.store';
import { Outage } from './outage';
import { perDay } from './per-day';
import type { BudgetState } from './rule';

const LATE_AFTER_MS = 250;
const DAY = Date.UTC(2026, 10, 21);
const SEEDS = Array.from({ length: 24 }, (_, seed) => seed);
const silent = { warn: () => undefined, info: () => undefined };
const clock = () => DAY + 43_200_000;

/** One document of a healthy database that takes some milliseconds for each answer. */
class SlowDocument {
  stored: BudgetState | undefined;

  constructor(
    private readonly random: Random,
    private readonly slowestMs: number,
  ) {}

  async findOne(): Promise<BudgetState | null> {
    await this.trip();
    return this.stored ?? null;
  }

  async updateOne(
    { at, taken }: BudgetState,
    { $set }: { readonly $set: BudgetState },
  ): Promise<{ matchedCount: number }> {
    await this.trip();
    const isMatch = this.stored?.at === at && this.stored.taken === taken;
    if (isMatch) this.stored = $set;
    return { matchedCount: isMatch ? 1 : 0 };
  }

  private trip(): Promise<void> {
    return pause(1 + this.random.below(this.slowestMs));
  }
}

interface Life {
  readonly limit: number;
  readonly created: number;
  readonly decidedAlone: number;
}

/**
 * Processes of an installation that has used most of a day's limit: concurrent bursts, faulty calls,
 * stops and restarts.
 */
async function live(seed: number): Promise<Life> {
  const random = new Random(seed);
  const limit = random.pick([40, 400, 3_000, 80_000]);
  const document = new SlowDocument(random, random.pick([2, 10, 30]));
  const gone = Math.max(0, limit - random.pick([0, 1, 50, 150, 300]));
  document.stored = { at: DAY, taken: gone };
  const connection = { collection: () => document } as unknown as Connection;
  const begin = () =>
    new Budget({
      name: 'creates',
      rule: perDay(limit),
      store: new BudgetsStore(connection, LATE_AFTER_MS),
      outage: new Outage(silent, clock),
      clock,
    });
  const processes = Array.from({ length: 1 + random.below(4) }, begin);
  const all = [...processes];
  let created = gone;
  const create = async (budget: Budget): Promise<void> => {
    const { waitMs, token } = await budget.takeToken('acme');
    if (waitMs > 0) return;
    if (token && random.chance(0.2)) budget.returnToken(token);
    else created += 1;
  };
  for (let burst = 0; burst < 3; burst++) {
    await Promise.all(processes.flatMap((budget) => Array.from({ length: random.below(200) }, () => create(budget))));
    if (random.chance(0.5)) all.push((processes[0] = begin()));
  }
  await Promise.all(processes.map((budget) => budget.close()));
  return { limit, created, decidedAlone: all.reduce((sum, budget) => sum + budget.decidedAlone, 0) };
}

it('near the limit of a day, bursts on several processes get only what is left, and the database counts as available', async () => {
  const lives = await Promise.all(SEEDS.map(live));
  expect(lives.findIndex(({ limit, created }) => created > limit)).toBe(-1);
  expect(lives.findIndex(({ decidedAlone }) => decidedAlone > 0)).toBe(-1);
  // The rest can be used: most of these lives use it up.
  expect(lives.filter(({ limit, created }) => created > limit - 20).length).toBeGreaterThan(SEEDS.length / 2);
});
