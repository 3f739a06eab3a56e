import { createLogger } from '../logger/logger';
import { storeGauge } from './store-gauge';

const log = createLogger('test', 'error', { write: () => undefined });
const waiting = (measure: () => Promise<number>, everyMs = 60_000) =>
  storeGauge({
    name: 'opendsr_test_waiting',
    help: 'Things that wait.',
    labels: ['kind'],
    everyMs,
    log,
    measure: async () => [{ labels: { kind: 'late' }, value: await measure() }],
  });

it('shows what was measured last, and nothing before the first time', async () => {
  let value = 3;
  const { metric, poller } = waiting(() => Promise.resolve(value));
  expect([metric.kind, metric.read()]).toEqual(['gauge', []]);
  for (value of [3, 0]) {
    expect(await poller.runOnce()).toBe(0);
    expect(metric.read()).toEqual([{ labels: { kind: 'late' }, value }]);
  }
});

it('measures every time, however long nothing changes', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  let asked = 0;
  const { poller } = waiting(() => Promise.resolve(asked++ * 0), 5_000);
  poller.start();
  await jest.advanceTimersByTimeAsync(600_000);
  expect(asked).toBeGreaterThan(100);
  await poller.stop();
  jest.useRealTimers();
});

it.each([
  ['a tenth of its interval', 500, 4],
  ['half of its interval', 2_500, 4],
  ['a thousandth of its interval', 5, 1],
])('measures what takes %s less often if that is long', async (_what, takesMs, every) => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  let asked = 0;
  const { metric, poller } = waiting(async () => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    return asked;
  }, 5_000);
  const measuredAt: number[] = [];
  for (let tick = 0; tick < 9; tick += 1) {
    const before = asked;
    const run = poller.runOnce();
    await jest.advanceTimersByTimeAsync(0);
    if (asked > before) {
      measuredAt.push(tick);
      await jest.advanceTimersByTimeAsync(takesMs);
    }
    await run;
    expect(metric.read()).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(5_000);
  }
  jest.useRealTimers();
  expect(measuredAt).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].filter((tick) => tick % every === 0));
});

it('shows nothing while the last asking failed', async () => {
  let isAway = false;
  const { metric, poller } = waiting(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(1)));
  await poller.runOnce();
  isAway = true;
  await expect(poller.runOnce()).rejects.toThrow('away');
  expect(metric.read()).toEqual([]);
  isAway = false;
  await poller.runOnce();
  expect(metric.read()).toHaveLength(1);
});

it('shows nothing while a store does not answer, and the value once it does', async () => {
  let answer: (value: number) => void = () => undefined;
  let asked = 0;
  const measure = (): Promise<number> => {
    asked += 1;
    return new Promise((resolve) => (answer = resolve));
  };
  const { metric, poller } = waiting(measure, 1);
  const first = poller.runOnce();
  answer(1);
  await first;
  expect(metric.read()).toHaveLength(1);
  const askAgain = async (): Promise<void> => {
    while (asked < 2) await poller.runOnce();
  };
  const second = askAgain();
  while (metric.read().length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  answer(2);
  await second;
  expect(metric.read()).toEqual([{ labels: { kind: 'late' }, value: 2 }]);
});
