import { Budget, type Token } from './budget';
import { BudgetContended, type Decide, type Decision } from './budgets.store';
import { notifyWhenLate } from './notify-when-late';
import { Outage } from './outage';
import { perDay } from './per-day';
import { perMinute } from './per-minute';
import type { BudgetRule, BudgetState } from './rule';

const LATE_AFTER_MS = 50;

/** Budgets in memory that count their calls and can fail. */
class Store {
  asked = 0;
  written = 0;
  away = false;
  contended = false;
  /** While set, answers wait for it: all, or those of one workspace. */
  gate: Promise<void> | undefined;
  gateOf: string | undefined;
  private readonly states = new Map<string, BudgetState>();

  async change<T extends Decision>(ws: string, budget: string, decide: Decide<T>, late: () => void): Promise<T> {
    this.asked += 1;
    if (this.gate && (this.gateOf ?? ws) === ws) await notifyWhenLate(this.gate, LATE_AFTER_MS, late);
    if (this.away) throw new Error('away');
    if (this.contended) throw new BudgetContended('others were quicker');
    const decided = decide(this.states.get(`${ws}|${budget}`));
    if (decided.state) this.states.set(`${ws}|${budget}`, decided.state);
    if (decided.state) this.written += 1;
    return decided;
  }
}

const time = { now: 0 };
const said: string[] = [];
const logger = { warn: () => void said.push('warn'), info: () => void said.push('info') };
const clock = () => time.now;
let store: Store;
const budget = (rule: BudgetRule): Budget =>
  new Budget({ name: 'calls', rule, store, outage: new Outage(logger, clock), clock });

async function takeMany(of: Budget, count: number, ws = 'acme'): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; n < count; n++) waits.push((await of.takeToken(ws)).waitMs);
  return waits;
}
async function tokenOf(of: Budget, ws = 'acme'): Promise<Token> {
  const { token } = await of.takeToken(ws);
  if (!token) throw new Error('nothing was debited');
  return token;
}
const passed = (waits: readonly number[]): number => waits.filter((waitMs) => waitMs === 0).length;

beforeEach(() => {
  time.now = Date.UTC(2026, 10, 21, 12);
  said.length = 0;
  store = new Store();
});

describe('a budget', () => {
  it('admits exactly the limit at once, then returns the wait, after which a call is admitted', async () => {
    const calls = budget(perMinute(5));
    const waits = await takeMany(calls, 7);
    expect(waits).toEqual([0, 0, 0, 0, 0, 12_000, 12_000]);
    expect(calls.refused).toBe(2);
    time.now += 12_000;
    expect(await takeMany(calls, 2)).toEqual([0, 12_000]);
  });

  it('admits a caller that waits whole seconds, at any rate', async () => {
    for (const limit of [7, 90, 999, 5_000]) {
      const calls = budget(perMinute(limit));
      for (let round = 0; round < 5; round++) {
        let waitMs = 0;
        while (waitMs === 0) [waitMs = 0] = await takeMany(calls, 1, `ws-${limit}`);
        time.now += Math.max(1, Math.ceil(waitMs / 1_000)) * 1_000;
        expect(await takeMany(calls, 1, `ws-${limit}`)).toEqual([0]);
      }
    }
  });

  it('is separate for each workspace', async () => {
    const calls = budget(perMinute(2));
    await takeMany(calls, 3);
    expect(await takeMany(calls, 1, 'other')).toEqual([0]);
  });

  it('is shared by processes, to the last call', async () => {
    const [one, two] = [budget(perMinute(30)), budget(perMinute(30))];
    const waits: number[] = [];
    for (let n = 0; n < 40; n++) waits.push(...(await takeMany(n % 2 ? one : two, 1)));
    expect(passed(waits)).toBe(30);
  });

  it('needs the database for few calls, and for few refusals', async () => {
    const calls = budget(perMinute(1_000));
    expect(passed(await takeMany(calls, 1_000))).toBe(1_000);
    expect(store.written).toBeLessThan(60);
    const asked = store.asked;
    expect(passed(await takeMany(calls, 1_000))).toBe(0);
    expect(store.asked).toBeLessThanOrEqual(asked + 1);
  });

  it('asks the database once for concurrent calls', async () => {
    const calls = budget(perMinute(1_000));
    expect(
      passed(
        (await Promise.all(Array.from({ length: 100 }, () => calls.takeToken('acme')))).map(({ waitMs }) => waitMs),
      ),
    ).toBe(100);
    expect(store.asked).toBeLessThanOrEqual(3);
  });

  it('counts for this process alone while the database is away, and logs that once', async () => {
    const calls = budget(perMinute(10));
    await takeMany(calls, 4);
    store.away = true;
    const waits = await takeMany(calls, 8);
    expect([passed(waits), waits.at(-1), calls.decidedAlone]).toEqual([6, 6_000, 8]);
    time.now += 2_000;
    await takeMany(calls, 1, 'other');
    expect(said).toEqual(['warn']);
    store.away = false;
    time.now += 9_000;
    await takeMany(calls, 1, 'other');
    expect(said).toEqual(['warn']);
    time.now += 2_000;
    await takeMany(calls, 1, 'other');
    expect(said).toEqual(['warn', 'info']);
  });

  it('waits for a slow database once, and never delays other workspaces', async () => {
    const slow = Promise.withResolvers<void>();
    store.gate = slow.promise;
    store.gateOf = 'acme';
    const calls = budget(perMinute(1_000));
    expect(passed(await takeMany(calls, 500))).toBe(500);
    expect([calls.decidedAlone, store.asked, said]).toEqual([500, 1, ['warn']]);
    expect(passed(await takeMany(calls, 500, 'other'))).toBe(500);
    expect(calls.decidedAlone).toBe(500);
    slow.resolve();
  });

  it('continues alone from the last state of the database, which includes other processes', async () => {
    const [one, two] = [budget(perDay(20)), budget(perDay(20))];
    await takeMany(one, 12);
    await takeMany(two, 1);
    store.away = true;
    expect(passed(await takeMany(two, 20))).toBe(7);
  });

  it('is refused for a second when others were quicker each time, which is not an outage', async () => {
    const creates = budget(perDay(20));
    store.contended = true;
    expect(await takeMany(creates, 2)).toEqual([1_000, 1_000]);
    expect([creates.decidedAlone, said]).toEqual([0, []]);
    store.contended = false;
    expect(await takeMany(creates, 1)).toEqual([0]);
  });

  it('asks the database once for a burst that takes the last tokens', async () => {
    const creates = budget(perDay(200));
    const waits = (await Promise.all(Array.from({ length: 300 }, () => creates.takeToken('acme')))).map(
      ({ waitMs }) => waitMs,
    );
    expect(passed(waits)).toBe(200);
    expect(store.asked).toBeLessThanOrEqual(3);
  });

  it('ends a refusal when the clock is set back', async () => {
    const calls = budget(perMinute(60));
    await takeMany(calls, 61);
    time.now -= 3_600_000;
    expect(await takeMany(calls, 1)).toEqual([0]);
  });

  it('of a day takes unused tokens back, also for other processes and on close', async () => {
    const [one, two] = [budget(perDay(4)), budget(perDay(4))];
    await takeMany(one, 2);
    one.returnToken(await tokenOf(one));
    await one.close();
    expect(await takeMany(two, 3)).toEqual([0, 0, 43_200_000]);
    const large = budget(perDay(2_000));
    await takeMany(large, 3, 'large');
    await large.close();
    expect(passed(await takeMany(budget(perDay(2_000)), 2_000, 'large'))).toBe(1_997);
  });

  it('of a day grants the last token again at once to the process that returned it', async () => {
    const creates = budget(perDay(1));
    for (let n = 0; n < 5; n++) creates.returnToken(await tokenOf(creates));
    expect(await takeMany(creates, 2)).toEqual([0, 43_200_000]);
  });

  it('of a day waits for returns only on close', async () => {
    const creates = budget(perDay(4));
    const tokens = [await tokenOf(creates), await tokenOf(creates), await tokenOf(creates)];
    const slow = Promise.withResolvers<void>();
    store.gate = slow.promise;
    for (const token of tokens) creates.returnToken(token);
    const closed = creates.close();
    slow.resolve();
    await closed;
    expect(passed(await takeMany(budget(perDay(4)), 5))).toBe(4);
  });

  it('of a day takes nothing back after midnight, also not into a lease of the new day', async () => {
    const creates = budget(perDay(3_000));
    const old = await tokenOf(creates);
    time.now += 43_200_000;
    await takeMany(creates, 2);
    for (let n = 0; n < 3; n++) creates.returnToken(old);
    expect(passed(await takeMany(creates, 3_000))).toBe(2_998);
  });

  it('of a day takes back only debited tokens, not those that it granted alone', async () => {
    const creates = budget(perDay(10));
    await takeMany(creates, 4);
    store.away = true;
    const alone = await creates.takeToken('acme');
    store.away = false;
    expect(alone).toEqual({ waitMs: 0 });
    expect(passed(await takeMany(creates, 10))).toBe(6);
  });

  it('of a day loses returns while the database is away, as the write may have succeeded', async () => {
    const creates = budget(perDay(2));
    const token = await tokenOf(creates);
    store.away = true;
    creates.returnToken(token);
    await creates.close();
    store.away = false;
    expect(passed(await takeMany(creates, 3))).toBe(1);
  });
});
