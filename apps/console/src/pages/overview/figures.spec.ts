import { toneOf } from './figures';

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
