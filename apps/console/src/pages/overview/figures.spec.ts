import { FIGURES, isCountedOut, toneOf, type Numbers } from './figures';

it.each([
  [0, { danger: 1 }, 'good'],
  [1, { danger: 1 }, 'danger'],
  [61, { warning: 60, danger: 600 }, 'warning'],
  [31, { warning: 30, danger: 7, isLow: true }, 'good'],
  [30, { warning: 30, danger: 7, isLow: true }, 'warning'],
  [-2, { warning: 30, danger: 7, isLow: true }, 'danger'],
  [5, undefined, undefined],
  [null, { danger: 1 }, undefined],
] as const)('%j within %j is %s', (number, limits, tone) => {
  expect(toneOf(number, limits)).toBe(tone);
});

it.each([
  ['requests', 10_000, true],
  ['requests', 9_999, false],
  ['dates', 10_000, true],
  ['callbacks', 10_000, true],
  ['throughput', 12_345, false],
  ['service', 12_345, false],
] as const)('of %s, %i may stand for more: %p', (part, number, expected) => {
  expect(isCountedOut(part, number)).toBe(expected);
});

it('does not know how many records are parked before they were counted, and takes that for no zero', () => {
  const service = { parked: null, consumer_lag: 0, oldest_outbox_seconds: 0, first_certificate: null };
  const numbers = { counts: undefined, overview: { service } as NonNullable<Numbers['overview']> };
  const [blocking, aside, lag] = FIGURES.service;
  expect([blocking, aside, lag].map(({ of }) => of(numbers))).toEqual([undefined, undefined, 0]);
});
