import { perDay } from './per-day';

const DAY_MS = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);
const NOON = MIDNIGHT + DAY_MS / 2;

describe('a limit for each UTC day', () => {
  const rule = perDay(80_000);

  it('is never exceeded, restarts at midnight, and returns the wait until then', () => {
    expect(rule.grant({ at: MIDNIGHT, taken: 79_999 }, NOON, 80)).toMatchObject({
      state: { at: MIDNIGHT, taken: 80_000 },
      tokens: 1,
      untilMs: MIDNIGHT + DAY_MS,
    });
    expect(rule.grant({ at: MIDNIGHT, taken: 80_000 }, NOON, 1)).toMatchObject({
      state: undefined,
      tokens: 0,
      waitMs: DAY_MS / 2,
    });
    expect(rule.grant({ at: MIDNIGHT - DAY_MS, taken: 80_000 }, MIDNIGHT, 80)).toMatchObject({
      state: { at: MIDNIGHT, taken: 80 },
      tokens: 80,
    });
  });

  it('is leased a thousandth at a time, and one by one at its end', () => {
    expect(rule.largestLease).toBe(80);
    const tokensAt = (taken: number) => rule.grant({ at: MIDNIGHT, taken }, NOON, 80).tokens;
    expect([0, 78_400, 79_000, 79_970].map(tokensAt)).toEqual([80, 80, 50, 1]);
    expect(perDay(10).largestLease).toBe(1);
  });

  it('is granted completely to waiting calls', () => {
    expect(rule.grant({ at: MIDNIGHT, taken: 79_700 }, NOON, 450, 450).tokens).toBe(300);
    expect(rule.grant({ at: MIDNIGHT, taken: 79_700 }, NOON, 80, 40).tokens).toBe(40);
  });

  it('counts for tomorrow when another clock is there already, and ignores later days', () => {
    expect(rule.grant({ at: MIDNIGHT + DAY_MS, taken: 80_000 }, MIDNIGHT + DAY_MS - 1, 1)).toMatchObject({
      tokens: 0,
      waitMs: DAY_MS + 1,
    });
    expect(rule.grant({ at: MIDNIGHT + 2 * DAY_MS, taken: 80_000 }, NOON, 1)).toMatchObject({ tokens: 1 });
  });

  it('takes unused tokens back on the same day', () => {
    expect(rule.refund?.({ at: MIDNIGHT, taken: 7 }, MIDNIGHT, 2)).toEqual({ at: MIDNIGHT, taken: 5 });
    expect(rule.refund?.({ at: MIDNIGHT, taken: 7 }, MIDNIGHT - DAY_MS, 2)).toBeUndefined();
    expect(rule.refund?.({ at: MIDNIGHT, taken: 1 }, MIDNIGHT, 2)).toEqual({ at: MIDNIGHT, taken: 0 });
  });
});
