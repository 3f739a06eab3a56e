import { faultsOfOverload, refusedOf, takenOf, type OverloadMeasured } from './overload-result';

const good: OverloadMeasured = {
  saturatingPerSecond: 1_000,
  seconds: 10,
  offered: 30_000,
  sent: 30_000,
  taken: { p50Ms: 300, p99Ms: 700 },
  refused: { p50Ms: 5, p99Ms: 90 },
  statuses: { 201: 9_000, 503: 20_000, 429: 1_000 },
  refusedWithoutRetryAfter: 0,
  rssMiB: { before: 150, firstHalf: 300, secondHalf: 320 },
};

it('is a kept promise where calls are taken or refused, all of them in time, and memory stays', () => {
  expect(faultsOfOverload(good)).toEqual([]);
  expect([takenOf(good), refusedOf(good)]).toEqual([9_000, 21_000]);
});

it.each<[string, Partial<OverloadMeasured>, string]>([
  ['calls that are taken wait', { taken: { p50Ms: 500, p99Ms: 1_000 } }, 'calls that were taken waited 1000 ms (p99)'],
  ['refusals wait', { refused: { p50Ms: 500, p99Ms: 2_000 } }, 'refusals waited 2000 ms (p99)'],
  ['a refusal does not say when to come again', { refusedWithoutRetryAfter: 3 }, '3 refusals had no Retry-After'],
  ['nothing is taken', { taken: null }, 'no call was taken'],
  ['calls get no answer', { statuses: { ...good.statuses, 0: 4 } }, '4 times no answer'],
  ['calls fail', { statuses: { ...good.statuses, 500: 1 } }, '1 times the answer 500'],
  [
    'memory goes on growing',
    { rssMiB: { before: 150, firstHalf: 300, secondHalf: 450 } },
    'memory grew by 150 MiB from the first half to the second',
  ],
  ['answers come so late that calls cannot be made', { sent: 20_000 }, 'only 20000 of 30000 calls found a connection'],
])('is a broken promise where %s', (_what, change, fault) => {
  expect(faultsOfOverload({ ...good, ...change })).toEqual([fault]);
});
