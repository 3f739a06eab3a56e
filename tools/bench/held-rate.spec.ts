import { isKept } from './held-rate';

const flat = Array.from({ length: 10 }, (_, n) => ({ startedAtMs: 1000 * n, lagMs: 1200 }));
const growing = flat.map((lag, n) => ({ ...lag, lagMs: 1200 + 120 * n }));
const good = { admitted: 100, offered: 100, unfinished: 0, lags: flat };

it('is kept where all is taken in and done, and nothing takes longer than before', () => {
  expect(isKept(good, 10_000)).toBe(true);
});

it.each<[string, Partial<typeof good>]>([
  ['the lag grows', { lags: growing }],
  ['some is not taken in', { admitted: 94 }],
  ['some is never done', { unfinished: 1 }],
  ['nothing was seen done', { lags: [] }],
])('is not kept where %s', (_what, change) => {
  expect(isKept({ ...good, ...change }, 10_000)).toBe(false);
});

it('is not held against it that a short window begins and ends at different moments of a tick', () => {
  expect(isKept({ ...good, lags: growing }, 5_000)).toBe(true);
});

it('holds a long window to its share of what is offered', () => {
  const slowly = flat.map((lag, n) => ({ startedAtMs: 6000 * n, lagMs: 1200 + 360 * n }));
  expect(isKept({ ...good, lags: slowly }, 60_000)).toBe(false);
});
