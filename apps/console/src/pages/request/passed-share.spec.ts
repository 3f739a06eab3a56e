import { passedPercent } from './passed-share';

const [FROM, TO] = ['2026-03-01T00:00:00Z', '2026-03-11T00:00:00Z'];

it.each([
  ['2026-02-01T00:00:00Z', 0],
  ['2026-03-01T00:00:00Z', 0],
  ['2026-03-06T00:00:00Z', 50],
  ['2026-03-11T00:00:00Z', 100],
  ['2026-04-01T00:00:00Z', 100],
])('at %s %i percent have passed', (now, percent) => {
  expect(passedPercent(FROM, TO, new Date(now))).toBe(percent);
});

it('is over where there is no time between', () => {
  expect(passedPercent(TO, FROM, new Date(FROM))).toBe(100);
});
