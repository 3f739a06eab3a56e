import { checkGapMs } from './watchdog';

it.each([
  ['the default limits', 60_000, { delayMs: 0, limitMs: 25_000 }, 2_500],
  ['a short limit of the event loop', 2_000, { delayMs: 0, limitMs: 25_000 }, 200],
  ['long limits', 3_600_000, { delayMs: 60_000, limitMs: 600_000 }, 5_000],
])('looks seldom, but notices a limit a tenth later at most: %s', (_, stallLimitMs, stop, everyMs) => {
  expect(checkGapMs({ stallLimitMs, stop })).toBe(everyMs);
});
