import { isCountedOut, toneOf } from './figures';

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
