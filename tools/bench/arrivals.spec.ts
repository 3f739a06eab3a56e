import { lagsFromCreation, lagsFromOwnTick, lagsFromTick, rateOf, tickAfter, timesEach } from './arrivals';

const arrival = (createdAtMs: number, arrivedAtMs: number) => ({ createdAtMs, arrivedAtMs });

it('counts a rate from the first arrival to the last, in any order', () => {
  expect(rateOf([arrival(0, 3_000), arrival(0, 1_000), arrival(0, 2_000)])).toBe(1);
});

it('knows no rate of less than two moments', () => {
  expect([rateOf([]), rateOf([arrival(0, 5)]), rateOf([arrival(0, 5), arrival(1, 5)])]).toEqual([0, 0, 0]);
});

it('counts a backlog from the one tick, and what comes steadily from the tick after its own creation', () => {
  const arrivals = [arrival(1_100, 2_010), arrival(2_300, 3_030)];
  expect(lagsFromTick(arrivals, 2_000)).toEqual({ p50Ms: 10, p99Ms: 1_030 });
  expect(lagsFromOwnTick(arrivals, 1_000)).toEqual({ p50Ms: 10, p99Ms: 30 });
  expect(lagsFromCreation(arrivals)).toEqual({ p50Ms: 730, p99Ms: 910 });
});

it('takes a moment on a tick as its own', () => {
  expect([tickAfter(2_000, 1_000), tickAfter(2_001, 1_000)]).toEqual([2_000, 3_000]);
});

it('says once what is wrong often', () => {
  expect(timesEach(['a', 'b', 'a'])).toEqual(['2 times: a', 'b']);
});
