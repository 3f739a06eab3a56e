import { DueSignal, silentLogger } from '@opendsr-service/service';
import { startPoller, STARTS_SHARE_MS } from './pollers';

const INTERVAL_MS = 1_000;
const PAGE = 5;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
});
afterEach(() => jest.useRealTimers());

/** Where the next start is due soon, how often the poller looks in the time that follows its first look. */
async function looksIn(ms: number, started: readonly number[]): Promise<number> {
  let looks = 0;
  const start = {
    page: PAGE,
    signal: new DueSignal(),
    runOnce: () => Promise.resolve(started[looks++] ?? 0),
    dueInMs: () => Promise.resolve(3),
  };
  const poller = startPoller(start, INTERVAL_MS, silentLogger);
  poller.start();
  while (looks === 0) await jest.advanceTimersByTimeAsync(1);
  await jest.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await poller.stop();
  return looks;
}

it('requests that start soon after each other are started together', async () => {
  expect(await looksIn(STARTS_SHARE_MS - 1, [1])).toBe(1);
  expect(await looksIn(STARTS_SHARE_MS, [1])).toBe(2);
});

it('looks again at once where more may be due than it reads at a time', async () => {
  expect(await looksIn(STARTS_SHARE_MS - 1, [PAGE, PAGE, PAGE - 1])).toBe(3);
});
