import { Breaker } from './breaker';

const at = (seconds: number) => new Date(seconds * 1_000);
const make = () => new Breaker({ failures: 3, pauseMs: 10_000 });
const fail = (breaker: Breaker, seconds: number) => {
  const isProbe = breaker.begin(at(seconds));
  breaker.end({ reached: false, isProbe, now: at(seconds) });
};
const succeed = (breaker: Breaker, seconds: number) => {
  const isProbe = breaker.begin(at(seconds));
  breaker.end({ reached: true, isProbe, now: at(seconds) });
};

it('opens after so many failures in a row, and not where a success comes between', () => {
  const breaker = make();
  for (const seconds of [0, 1]) fail(breaker, seconds);
  succeed(breaker, 2);
  for (const seconds of [3, 4]) fail(breaker, seconds);
  expect(breaker.lets(at(4))).toBe(true);
  fail(breaker, 5);
  expect([breaker.isOpen, breaker.lets(at(5)), breaker.lets(at(14.9))]).toEqual([true, false, false]);
});

it('lets a single probe through after its pause, and closes when that succeeds', () => {
  const breaker = make();
  for (const seconds of [0, 0, 0]) fail(breaker, seconds);
  expect(breaker.lets(at(10))).toBe(true);
  const isProbe = breaker.begin(at(10));
  expect([isProbe, breaker.lets(at(10))]).toEqual([true, false]);
  breaker.end({ reached: true, isProbe, now: at(11) });
  expect([breaker.isOpen, breaker.lets(at(11)), breaker.isUntouched]).toEqual([false, true, true]);
});

it('doubles its pause with each probe that fails, up to 32 times the first, and begins anew after a success', () => {
  const breaker = make();
  for (const seconds of [0, 0, 0]) fail(breaker, seconds);
  let now = 0;
  for (const pause of [10, 20, 40, 80, 160, 320, 320]) {
    expect([breaker.lets(at(now + pause - 1)), breaker.lets(at(now + pause))]).toEqual([false, true]);
    now += pause;
    fail(breaker, now);
  }
  succeed(breaker, now + 320);
  for (const later of [320, 320, 320]) fail(breaker, now + later);
  expect(breaker.lets(at(now + 330))).toBe(true);
});

it('is not held open by what was on its way when it opened', () => {
  const breaker = make();
  const late = [0, 0, 0, 0].map((seconds) => breaker.begin(at(seconds)));
  for (const isProbe of late) breaker.end({ reached: false, isProbe, now: at(1) });
  expect([breaker.lets(at(10.9)), breaker.lets(at(11))]).toEqual([false, true]);
});
