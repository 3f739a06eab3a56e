import { barsOf, SIZE } from './bars';

it('draws bars as high as their counts, on one line, within the drawing', () => {
  const { bars, ticks } = barsOf([10, 5, 0], 10);
  const bottom = ticks[0]?.y ?? 0;
  const heights = bars.map(({ bar }) => bar.height);
  expect(heights).toEqual([heights[0], (heights[0] ?? 0) / 2, 0]);
  expect(bars.map(({ bar }) => bar.y + bar.height)).toEqual([bottom, bottom, bottom]);
  expect(Math.max(...bars.map(({ room }) => room.x + room.width))).toBeLessThanOrEqual(SIZE.width);
});

it('compares two drawings by the larger of both', () => {
  const heightOf = (most: number) => barsOf([10], most).bars[0]?.bar.height ?? 0;
  expect(heightOf(100)).toBeCloseTo(heightOf(10) / 10);
});

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [312, [0, 100, 200, 300, 400]],
])('counts up to %i by whole numbers that one reads at a glance', (most, values) => {
  expect(barsOf([most], most).ticks.map(({ value }) => value)).toEqual(values);
});

it('leaves a finger room for each day, also where nothing happened', () => {
  const { bars } = barsOf(Array<number>(14).fill(0), 0);
  // The drawing is never narrower than 24rem (console.css), and a target is 24 px by 24 px at least.
  const scale = 384 / SIZE.width;
  expect(scale * Math.min(...bars.map(({ room }) => room.width))).toBeGreaterThanOrEqual(24);
  expect(scale * Math.min(...bars.map(({ room }) => room.height))).toBeGreaterThanOrEqual(24);
});
