import { perMinute } from './per-minute';
import type { BudgetState } from './rule';

const NOW = Date.UTC(2026, 10, 21, 9);

describe('a budget of five a minute', () => {
  const rule = perMinute(5);
  const spent = (count: number, at = NOW) => rule.grant(undefined, at, count).state;

  it('grants all five at once, and no more', () => {
    expect(rule.grant(undefined, NOW, 8)).toMatchObject({ tokens: 5, waitMs: 0 });
    expect(rule.grant(spent(5), NOW, 1)).toEqual({
      state: undefined,
      tokens: 0,
      period: 0,
      untilMs: NOW,
      waitMs: 12_000,
    });
  });

  it('grants one after exactly the returned wait, and not a millisecond earlier', () => {
    expect(rule.grant(spent(5), NOW + 11_999, 1)).toMatchObject({ tokens: 0, waitMs: 1 });
    expect(rule.grant(spent(5), NOW + 12_000, 5)).toMatchObject({ tokens: 1 });
  });

  it('does not save unused calls for longer than a minute', () => {
    expect(rule.grant(spent(2), NOW + 3_600_000, 100).tokens).toBe(5);
  });

  it('waits for a clock that is a minute ahead, and ignores one that is further ahead', () => {
    expect(rule.grant(spent(5, NOW + 60_000), NOW, 1)).toMatchObject({ tokens: 0, waitMs: 72_000 });
    expect(rule.grant(spent(5, NOW + 70_000), NOW, 1)).toMatchObject({ tokens: 1 });
  });
});

it.each([1, 7, 999, 1_000, 60_000, 1_000_000])(
  'a limit of %d a minute grants at most the limit and what the rate adds',
  (limit) => {
    const rule = perMinute(limit);
    let state: BudgetState | undefined;
    let given = 0;
    for (let atMs = 0; atMs <= 180_000; atMs += 250) {
      const grant = rule.grant(state, NOW + atMs, limit);
      state = grant.state ?? state;
      given += grant.tokens;
      expect(given).toBeLessThanOrEqual(limit + Math.floor((limit * atMs) / 60_000 + 1e-3));
    }
    expect(given).toBe(4 * limit);
  },
);
