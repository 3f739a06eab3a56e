import { Breaker } from './breaker';

const at = (seconds: number) => new Date(seconds * 1_000);
const make = () => new Breaker({ failures: 3, pauseMs: 10_000, longestPauseMs: 60_000 });
const fail = (breaker: Breaker, seconds: number) => {
  const isProbe = breaker.begin(at(seconds));
  breaker.end({ reached: false, isProbe, now: at(seconds) });
};
const succeed = (breaker: Breaker, seconds: number) => {
  const isProbe = breaker.begin(at(seconds));
  breaker.end({ reached: true, isProbe, now: at(seconds) });
};

it('opens after a number of failures in a row, and not if a success comes between them', () => {
  const breaker = make();
  for (const seconds of [0, 1]) fail(breaker, seconds);
  succeed(breaker, 2);
  for (const seconds of [3, 4]) fail(breaker, seconds);
  expect(breaker.allows(at(4))).toBe(true);
  fail(breaker, 5);
  expect([breaker.state(at(14.9)), breaker.allows(at(5)), breaker.allows(at(14.9))]).toEqual(['paused', false, false]);
});

it('lets a single probe through after its pause, and closes when that succeeds', () => {
  const breaker = make();
  for (const seconds of [0, 0, 0]) fail(breaker, seconds);
  expect(breaker.allows(at(10))).toBe(true);
  const isProbe = breaker.begin(at(10));
  expect([isProbe, breaker.allows(at(10)), breaker.state(at(10))]).toEqual([true, false, 'probing']);
  breaker.end({ reached: true, isProbe, now: at(11) });
  expect([breaker.state(at(11)), breaker.allows(at(11))]).toEqual(['closed', true]);
});

it('doubles its pause with each failed probe, up to the longest, and resets after a success', () => {
  const breaker = make();
  for (const seconds of [0, 0, 0]) fail(breaker, seconds);
  let now = 0;
  for (const pause of [10, 20, 40, 60, 60]) {
    expect([breaker.allows(at(now + pause - 1)), breaker.allows(at(now + pause))]).toEqual([false, true]);
    now += pause;
    fail(breaker, now);
  }
  succeed(breaker, now + 60);
  for (const later of [60, 60, 60]) fail(breaker, now + later);
  expect(breaker.allows(at(now + 70))).toBe(true);
});

it('is not kept open by attempts that began before it opened', () => {
  const breaker = make();
  const late = [0, 0, 0, 0].map((seconds) => breaker.begin(at(seconds)));
  for (const isProbe of late) breaker.end({ reached: false, isProbe, now: at(1) });
  expect([breaker.allows(at(10.9)), breaker.allows(at(11))]).toEqual([false, true]);
});
