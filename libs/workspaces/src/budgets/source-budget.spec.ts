import { SourceBudget } from './source-budget';

let now = 0;
const clock = () => now;
beforeEach(() => {
  now = 0;
});

describe('a budget of a source', () => {
  it('is separate for each source; an IPv6 /64 is one source', () => {
    const budget = new SourceBudget(2, clock);
    expect(['192.0.2.1', '192.0.2.1', '192.0.2.2'].map((address) => budget.takeToken(address))).toEqual([0, 0, 0]);
    expect([budget.takeToken('192.0.2.1'), budget.takeToken('::ffff:192.0.2.1')]).toEqual([30_000, 30_000]);
    expect(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((address) => budget.takeToken(address))).toEqual([
      0, 0, 30_000,
    ]);
    expect(budget.refused).toBe(3);
    now = 30_000;
    expect(budget.takeToken('192.0.2.1')).toBe(0);
  });

  it('is kept for a source while 9,999 others call between two of its calls', () => {
    const budget = new SourceBudget(1, clock);
    const flood = (from: number, count: number) => {
      for (let n = from; n < from + count; n++) budget.takeToken(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    };
    budget.takeToken('192.0.2.1');
    for (let round = 0; round < 3; round++) {
      flood(round * 9_999, 9_999);
      expect(budget.takeToken('192.0.2.1')).toBeGreaterThan(0);
    }
    flood(100_000, 10_000);
    expect(budget.takeToken('192.0.2.1')).toBe(0);
  });
});
