import { resendGapMs } from './resend-gap';

it('doubles from twice the first gap up to the longest, and stays there', () => {
  const gaps = { firstGapMs: 5_000, longestGapMs: 3_600_000 };
  expect([0, 1, 2, 9, 10, 100].map((tries) => resendGapMs(tries, gaps))).toEqual([
    10_000, 20_000, 40_000, 3_600_000, 3_600_000, 3_600_000,
  ]);
});
