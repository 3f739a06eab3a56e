import { lagGrowth, percentile, spreadOf } from './statistics';

describe('a percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => n + 1);

  it('is a value that was measured, never one between two', () => {
    expect([50, 99, 100].map((percent) => percentile(hundred, percent))).toEqual([50, 99, 100]);
    expect(percentile([1, 10], 50)).toBe(1);
    expect(percentile([1, 10], 51)).toBe(10);
  });

  it('of one value is that value, and of none is none', () => {
    expect(percentile([7], 1)).toBe(7);
    expect(percentile([], 50)).toBeUndefined();
    expect(spreadOf([])).toBeNull();
  });

  it('does not depend on the order, nor take numbers for text', () => {
    expect(spreadOf([100, 9, 20])).toEqual({ p50Ms: 20, p99Ms: 100 });
  });
});

describe('the growth of a lag', () => {
  const lags = (lagMs: (second: number) => number) =>
    Array.from({ length: 10 }, (_, second) => ({ startedAtMs: 1e12 + 1000 * second, lagMs: lagMs(second) }));

  it('is nothing where things take equally long', () => {
    expect(lagGrowth(lags(() => 1500))).toBe(0);
  });

  it('is what each second adds', () => {
    expect(lagGrowth(lags((second) => 1500 + 250 * second))).toBeCloseTo(0.25);
    expect(lagGrowth(lags((second) => 1500 - 100 * second))).toBeCloseTo(-0.1);
  });

  it('is not much moved by a wait for the next tick', () => {
    expect(Math.abs(lagGrowth(lags((second) => (second % 2 === 0 ? 100 : 900))) ?? 1)).toBeLessThan(0.05);
  });

  it('is unknown from a single moment', () => {
    expect(lagGrowth([])).toBeNull();
    expect(
      lagGrowth([
        { startedAtMs: 1, lagMs: 5 },
        { startedAtMs: 1, lagMs: 7 },
      ]),
    ).toBeNull();
  });
});
