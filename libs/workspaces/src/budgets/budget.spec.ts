import { Budget } from './budget';
import { Outage } from './outage';
import { perDay } from './per-day';
import { perMinute } from './per-minute';
import type { BudgetRule, BudgetState } from './rule';

/** Budgets in memory, with a switch, that count how often they are asked. */
class Store {
  asked = 0;
  written = 0;
  away = false;
  /** While set, every answer waits for it. */
  gate: Promise<void> | undefined;
  private readonly states = new Map<string, BudgetState>();

  async change<T extends { readonly state: BudgetState | undefined }>(ws: string, budget: string, decide: (seen: BudgetState | undefined) => T): Promise<T> {
    this.asked += 1;
    await this.gate;
    if (this.away) throw new Error('away');
    const decided = decide(this.states.get(`${ws}|${budget}`));
    if (decided.state) this.states.set(`${ws}|${budget}`, decided.state);
    if (decided.state) this.written += 1;
    return decided;
  }
}

const time = { now: 0 };
const said: string[] = [];
const tells = { warn: () => void said.push('warn'), info: () => void said.push('info') };
const clock = () => time.now;
let store: Store;
const budget = (rule: BudgetRule): Budget => new Budget({ name: 'calls', rule, store, outage: new Outage(tells, clock), clock, patienceMs: 250 });

async function takeMany(of: Budget, count: number, ws = 'acme'): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; n < count; n++) waits.push(await of.take(ws));
  return waits;
}
const passed = (waits: readonly number[]): number => waits.filter((waitMs) => waitMs === 0).length;

beforeEach(() => {
  time.now = Date.UTC(2026, 10, 21, 12);
  said.length = 0;
  store = new Store();
});

describe('a budget', () => {
  it('lets through exactly the limit at once, then tells the wait, after which a call gets through', async () => {
    const calls = budget(perMinute(5));
    const waits = await takeMany(calls, 7);
    expect(waits).toEqual([0, 0, 0, 0, 0, 12_000, 12_000]);
    expect(calls.refused).toBe(2);
    time.now += 12_000;
    expect(await takeMany(calls, 2)).toEqual([0, 12_000]);
  });

  it('lets a client through that waits whole seconds, whatever the rate', async () => {
    for (const limit of [7, 90, 999, 5_000]) {
      const calls = budget(perMinute(limit));
      for (let round = 0; round < 5; round++) {
        let waitMs = 0;
        while (waitMs === 0) waitMs = await calls.take(`ws-${limit}`);
        time.now += Math.max(1, Math.ceil(waitMs / 1_000)) * 1_000;
        expect(await calls.take(`ws-${limit}`)).toBe(0);
      }
    }
  });

  it('is each workspace\'s own', async () => {
    const calls = budget(perMinute(2));
    await takeMany(calls, 3);
    expect(await calls.take('other')).toBe(0);
  });

  it('is shared by processes, to the last call', async () => {
    const [one, two] = [budget(perMinute(30)), budget(perMinute(30))];
    const waits: number[] = [];
    for (let n = 0; n < 40; n++) waits.push(await (n % 2 ? one : two).take('acme'));
    expect(passed(waits)).toBe(30);
  });

  it('asks the database for few of its calls, and for few of those that it refuses', async () => {
    const calls = budget(perMinute(1_000));
    expect(passed(await takeMany(calls, 1_000))).toBe(1_000);
    expect(store.written).toBeLessThan(60);
    const asked = store.asked;
    expect(passed(await takeMany(calls, 1_000))).toBe(0);
    expect(store.asked).toBeLessThanOrEqual(asked + 1);
  });

  it('asks once for all calls that come together', async () => {
    const calls = budget(perMinute(1_000));
    expect(await Promise.all(Array.from({ length: 100 }, () => calls.take('acme')))).toEqual(Array.from({ length: 100 }, () => 0));
    expect(store.asked).toBeLessThanOrEqual(3);
  });

  it('goes on for this process alone while the database is away, counts that, and says so once', async () => {
    const calls = budget(perMinute(10));
    await takeMany(calls, 4);
    store.away = true;
    const waits = await takeMany(calls, 8);
    expect([passed(waits), waits.at(-1), calls.decidedAlone]).toEqual([6, 6_000, 8]);
    time.now += 2_000;
    await takeMany(calls, 1, 'other');
    expect(said).toEqual(['warn']);
    store.away = false;
    time.now += 2_000;
    await calls.take('other');
    await calls.take('other');
    expect(said).toEqual(['warn', 'info']);
  });

  it('waits for a slow database a quarter of a second once, and then not at all', async () => {
    const slow = Promise.withResolvers<void>();
    store.gate = slow.promise;
    const calls = budget(perMinute(1_000));
    expect(passed(await takeMany(calls, 500))).toBe(500);
    expect([calls.decidedAlone, store.asked, said]).toEqual([500, 1, ['warn']]);
    slow.resolve();
  });

  it('of a day takes back what was not used, also for other processes and at its end', async () => {
    const [one, two] = [budget(perDay(4)), budget(perDay(4))];
    await takeMany(one, 3);
    await one.giveBack('acme', time.now);
    expect(await takeMany(two, 3)).toEqual([0, 0, 43_200_000]);
    const large = budget(perDay(2_000));
    await takeMany(large, 3, 'large');
    await large.close();
    expect(passed(await takeMany(budget(perDay(2_000)), 2_000, 'large'))).toBe(1_997);
  });

  it('of a day takes nothing back after its midnight', async () => {
    const creates = budget(perDay(1));
    const takenAt = time.now;
    await creates.take('acme');
    time.now += 43_200_000;
    await creates.giveBack('acme', takenAt);
    expect(await takeMany(creates, 2)).toEqual([0, 86_400_000]);
    await creates.giveBack('acme', takenAt);
    expect(await creates.take('acme')).toBe(86_400_000);
  });
});
