import { createLogger } from '../logger/logger';
import { DueSignal } from './due-signal';
import { Poller, UNSIGNALLED_IDLE_MS, type PollerOptions } from './poller';

const lines: string[] = [];
const log = createLogger('test', 'debug', { write: (line) => void lines.push(line) });
const make = (run: () => Promise<number>, more: Partial<PollerOptions> = {}) =>
  new Poller({ name: 'p', intervalMs: 1000, longestIdleMs: 1000, run, log, random: () => 0.5, ...more });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  lines.length = 0;
});
afterEach(() => jest.useRealTimers());

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (ms: number) => {
  await jest.advanceTimersByTimeAsync(ms);
  await settle();
};

it('polls once every interval, and continues at once while something was due', async () => {
  const due = [0, 5, 2, 0, 0];
  let runs = 0;
  const poller = make(() => Promise.resolve(due[runs++] ?? 0));
  poller.start();
  poller.start();
  await pass(999);
  expect(runs).toBe(0);
  await pass(1);
  expect(runs).toBe(1);
  await pass(1000);
  expect(runs).toBe(4);
  await pass(1000);
  expect(runs).toBe(5);
  await poller.stop();
});

it('leaves what comes while it works on less than a full page to the next interval', async () => {
  const due = [9, 10, 3, 1, 0];
  let runs = 0;
  const poller = make(() => Promise.resolve(due[runs++] ?? 0), { fullPage: 10 });
  poller.start();
  for (const expected of [1, 3, 4, 5]) {
    await pass(1000);
    expect(runs).toBe(expected);
  }
  await poller.stop();
});

describe('while nothing is due', () => {
  let due = 0;
  let runs = 0;
  const idle = (more: Partial<PollerOptions> = {}) =>
    make(
      () => {
        runs += 1;
        return Promise.resolve(due-- > 0 ? 1 : (due = 0));
      },
      { intervalMs: 200, longestIdleMs: 2_000, ...more },
    );
  beforeEach(() => {
    [due, runs] = [0, 0];
  });

  it('pauses twice as long after each run, up to a bound, and polls each interval once something was due', async () => {
    const poller = idle();
    poller.start();
    for (const ms of [200, 200, 400, 800, 1_600, 2_000, 2_000]) {
      const before = runs;
      await pass(ms - 1);
      expect(runs).toBe(before);
      await pass(1);
      expect(runs).toBe(before + 1);
    }
    due = 1;
    await pass(2_000);
    const before = runs;
    await pass(200);
    expect(runs).toBe(before + 1);
    await poller.stop();
  });

  it.each([
    [undefined, 4],
    [UNSIGNALLED_IDLE_MS, 12],
  ])('polls few times a minute: with a bound of %p at most %d', async (longestIdleMs, most) => {
    const poller = idle({ longestIdleMs });
    poller.start();
    await pass(60_000);
    const before = runs;
    await pass(60_000);
    expect(runs - before).toBe(most);
    await poller.stop();
  });

  it('polls after one interval once it is woken, and no earlier', async () => {
    const poller = idle();
    poller.start();
    await pass(60_000);
    for (const waitedMs of [0, 1_000]) {
      await pass(waitedMs);
      const before = runs;
      for (let n = 0; n < 3; n += 1) poller.wake();
      await pass(199);
      expect(runs).toBe(before);
      await pass(1);
      expect(runs).toBe(before + 1);
      await pass(200);
      expect(runs).toBe(before + 2);
      await pass(60_000);
    }
    await poller.stop();
    poller.wake();
    const before = runs;
    await pass(60_000);
    expect(runs).toBe(before);
  });

  it('polls when something stored becomes due', async () => {
    const poller = idle({ dueInMs: () => Promise.resolve(runs > 10 ? 30 : undefined) });
    poller.start();
    await pass(60_000);
    const before = runs;
    await pass(30);
    expect(runs).toBe(before + 1);
    await poller.stop();
  });
});

describe('with a signal of its own', () => {
  let runs = 0;
  const signal = () => new DueSignal();
  const idle = (more: Partial<PollerOptions>) =>
    make(() => Promise.resolve(runs++ * 0), { intervalMs: 200, longestIdleMs: 5_000, ...more });
  beforeEach(() => {
    runs = 0;
  });

  it.each([signal(), 'none'] as const)('is not woken by what goes on in the process (%#)', async (wokenBy) => {
    const poller = idle({ wokenBy });
    poller.start();
    await pass(60_000);
    const before = runs;
    for (let n = 0; n < 50; n += 1) {
      poller.wake();
      await pass(100);
    }
    expect(runs - before).toBe(1);
    await poller.stop();
  });

  it('runs one interval after the signal, however many come, and asks no more than it did after that', async () => {
    const wokenBy = signal();
    const poller = idle({ wokenBy });
    poller.start();
    await pass(60_000);
    const before = runs;
    for (let n = 0; n < 10; n += 1) wokenBy.due();
    await pass(199);
    expect(runs).toBe(before);
    await pass(1);
    expect(runs).toBe(before + 1);
    await pass(3_600_000);
    expect(runs - before).toBeLessThanOrEqual(1 + 3_600 / 5);
    await poller.stop();
  });

  it('runs when what was signalled for later is due', async () => {
    const wokenBy = signal();
    const poller = idle({ wokenBy, longestIdleMs: 60_000 });
    poller.start();
    await pass(600_000);
    const before = runs;
    wokenBy.due(3_000);
    wokenBy.due(20_000);
    await pass(2_999);
    expect(runs).toBe(before);
    await pass(1);
    expect(runs).toBe(before + 1);
    await poller.stop();
  });

  it('runs at the time that was signalled, whatever its jitter', async () => {
    const wokenBy = signal();
    const poller = idle({ wokenBy, longestIdleMs: 60_000, random: () => 1 });
    poller.start();
    await pass(600_000);
    const before = runs;
    wokenBy.due(59_000);
    await pass(58_999);
    expect(runs - before).toBeLessThanOrEqual(1);
    const early = runs;
    await pass(1);
    expect(runs).toBe(early + 1);
    await poller.stop();
  });

  it('does not miss a signal that comes while it runs', async () => {
    const wokenBy = signal();
    const ends: (() => void)[] = [];
    const poller = make(() => new Promise((resolve) => ends.push(() => resolve(0))), { intervalMs: 200, wokenBy });
    poller.start();
    await pass(200);
    wokenBy.due();
    ends[0]?.();
    await settle();
    await pass(200);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await poller.stop();
  });

  it('stays in its pause after a failure', async () => {
    const wokenBy = signal();
    const poller = make(() => Promise.reject(new Error(`${runs++}`)), { wokenBy });
    poller.start();
    await pass(1_000);
    wokenBy.due();
    await pass(1_999);
    expect(runs).toBe(1);
    await pass(1);
    expect(runs).toBe(2);
    await poller.stop();
  });
});

it('takes its jitter from node:crypto', async () => {
  const plain = jest.spyOn(Math, 'random');
  let runs = 0;
  const poller = make(() => Promise.resolve(runs++ * 0), { random: undefined });
  poller.start();
  await pass(899);
  expect(runs).toBe(0);
  await pass(202);
  expect(runs).toBe(1);
  await poller.stop();
  expect(plain).not.toHaveBeenCalled();
  plain.mockRestore();
});

it('pauses at most until something is due, and polls no less often for that', async () => {
  const due = [30, 4_000, undefined, 0];
  let runs = 0;
  const poller = make(() => Promise.resolve(runs++ * 0), { dueInMs: () => Promise.resolve(due[runs - 1]) });
  poller.start();
  await pass(1000);
  expect(runs).toBe(1);
  await pass(29);
  expect(runs).toBe(1);
  await pass(1);
  expect(runs).toBe(2);
  await pass(999);
  expect(runs).toBe(2);
  await pass(1);
  expect(runs).toBe(3);
  await pass(1000);
  expect(runs).toBe(4);
  await pass(1);
  expect(runs).toBe(5);
  await poller.stop();
});

it('pauses for its backoff after a failure, even if something is due', async () => {
  let runs = 0;
  const poller = make(() => Promise.reject(new Error(`${runs++}`)), { dueInMs: () => Promise.resolve(1) });
  poller.start();
  await pass(1000);
  await pass(1999);
  expect(runs).toBe(1);
  await pass(1);
  expect(runs).toBe(2);
  await poller.stop();
});

it('varies its interval by a tenth, so that replicas do not poll in step', async () => {
  let runs = 0;
  const early = make(() => Promise.resolve(runs++ * 0), { random: () => 0 });
  early.start();
  await pass(900);
  expect(runs).toBe(1);
  await early.stop();
  const late = make(() => Promise.resolve(runs++ * 0), { random: () => 1 });
  late.start();
  await pass(1099);
  expect(runs).toBe(1);
  await pass(1);
  expect(runs).toBe(2);
  await late.stop();
});

it('survives failures, logs each without its message, and rests twice as long after each, up to a bound', async () => {
  let runs = 0;
  const poller = make(() => (++runs <= 3 ? Promise.reject(new Error('planted')) : Promise.resolve(0)), {
    longestBackoffMs: 3000,
  });
  poller.start();
  for (const restMs of [1000, 2000, 3000, 3000, 1000]) {
    const before = runs;
    await pass(restMs - 1);
    expect(runs).toBe(before);
    await pass(1);
    expect(runs).toBe(before + 1);
  }
  expect(lines).toHaveLength(3);
  expect(lines.join()).toContain('"poller":"p"');
  expect(lines.join()).not.toContain('planted');
  await poller.stop();
});

it('stops after the run in flight, even while more is due, and starts nothing more', async () => {
  const ends: (() => void)[] = [];
  const poller = make(() => new Promise((resolve) => ends.push(() => resolve(1))));
  poller.start();
  await pass(1000);
  let stopped = false;
  const stopping = poller.stop().then(() => (stopped = true));
  await settle();
  expect([ends.length, stopped]).toEqual([1, false]);
  ends[0]?.();
  await stopping;
  await pass(10_000);
  poller.start();
  await pass(10_000);
  expect(ends).toHaveLength(1);
});

it('does not wait at its stop for a run that hangs on an outage, but for one after any other failure', async () => {
  const stopIn = async (error: Error) => {
    let runs = 0;
    const poller = make(() => (++runs === 1 ? Promise.reject(error) : new Promise(() => undefined)));
    poller.start();
    await pass(10_000);
    expect(runs).toBe(2);
    let isStopped = false;
    void poller.stop().then(() => (isStopped = true));
    await settle();
    return isStopped;
  };
  expect([
    await stopIn(Object.assign(new Error('planted'), { name: 'MongoServerSelectionError' })),
    await stopIn(new Error('planted')),
  ]).toEqual([true, false]);
});

it('asks nothing more once it is stopped, not even when something may be due', async () => {
  const ends: (() => void)[] = [];
  let asked = 0;
  const poller = make(() => new Promise((resolve) => ends.push(() => resolve(0))), {
    dueInMs: () => Promise.resolve(++asked),
  });
  poller.start();
  await pass(1000);
  const stopping = poller.stop();
  ends[0]?.();
  await stopping;
  expect([ends.length, asked]).toEqual([1, 0]);
});

it('runs one page on demand and gives the caller its error', async () => {
  await expect(make(() => Promise.resolve(7)).runOnce()).resolves.toBe(7);
  await expect(make(() => Promise.reject(new Error('away'))).runOnce()).rejects.toThrow('away');
});
