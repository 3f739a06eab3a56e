import type { PermitAnswer, SendPermit } from './host-queue';
import type { TryOutcome } from './outcome';
import { Traffic } from './traffic';

const now = new Date(0);
const entrance = { now, isLast: false };
const quick: TryOutcome = { kind: 'delivered', status: 202, durationMs: 5 };
const slow: TryOutcome = { kind: 'delivered', status: 202, durationMs: 1_000 };
const timeout: TryOutcome = { kind: 'failed', reason: 'timeout', durationMs: 400 };
const refused: TryOutcome = { kind: 'failed', reason: 'unreachable', durationMs: 1 };

let traffic: Traffic;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  traffic = new Traffic({
    concurrency: 60,
    slowConcurrency: 2,
    hostConcurrency: 2,
    slowMs: 1_000,
    breaker: { failures: 3, pauseMs: 10_000, longestPauseMs: 60_000 },
  });
});
afterEach(() => jest.useRealTimers());

const settle = () => new Promise((resolve) => setImmediate(resolve));
const pass = async (host: string, more: Partial<typeof entrance> = {}) =>
  (await traffic.acquire(host, { ...entrance, ...more })) as SendPermit;
const leave = (one: SendPermit, outcome: TryOutcome) => one.complete(outcome, now);
/** Waits in line and returns the answer. */
const stand = (host: string) => {
  const place: { answer?: PermitAnswer } = {};
  void traffic.acquire(host, entrance).then((answer) => (place.answer = answer));
  return place;
};
const meet = async (host: string, outcome: TryOutcome) => leave(await pass(host), outcome);
/** How many of so many destinations may be claimed. */
const room = (host: string, at = now) =>
  traffic.choose(
    Array.from({ length: 100 }, () => ({ host })),
    at,
  ).length;
const join = (host: string, count: number) => Array.from({ length: count }, () => traffic.join(host));

describe('an unknown host', () => {
  it('gets one destination, and after a quick answer as many as it can take without a long wait', async () => {
    expect(room('a')).toBe(1);
    await meet('a', quick);
    expect(room('a')).toBe(16);
    await meet('a', { ...quick, durationMs: 999 });
    expect(room('a')).toBe(6);
  });

  it('counts as slow before it responds, once its limit has passed', async () => {
    join('a', 1);
    await pass('a');
    expect([traffic.taken, traffic.full(now)]).toEqual([1, ['a']]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([traffic.taken, traffic.full(now)]).toEqual([0, ['a']]);
  });
});

describe('a quick host', () => {
  beforeEach(() => meet('a', quick));

  it('allows a limited number of attempts; later ones wait in order', async () => {
    const [first] = [await pass('a'), await pass('a')];
    const [third, fourth] = [stand('a'), stand('a')];
    await settle();
    expect([third.answer, fourth.answer]).toEqual([undefined, undefined]);
    leave(first, quick);
    await settle();
    expect([typeof third.answer, fourth.answer]).toEqual(['object', undefined]);
  });

  it('has a queue in which no attempt waits longer than its lease allows', async () => {
    let first = await pass('a');
    let second = await pass('a');
    const line = Array.from({ length: 9 }, () => stand('a'));
    for (let n = 0; n < 3; n += 1) {
      await jest.advanceTimersByTimeAsync(600);
      for (const one of [first, second]) leave(one, quick);
      await settle();
      [first, second] = [line[2 * n]?.answer as SendPermit, line[2 * n + 1]?.answer as SendPermit];
      expect(typeof second).toBe('object');
    }
    await jest.advanceTimersByTimeAsync(199);
    expect(line[6]?.answer).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(line.slice(6).map(({ answer }) => answer)).toEqual(['full', 'full', 'full']);
  });

  it('delays no other', async () => {
    for (let n = 0; n < 6; n += 1) stand('a');
    expect(typeof (await pass('b'))).toBe('object');
  });

  it.each([
    ['slowly', slow],
    ['not in time', timeout],
  ])('that responds %s loses its queue, and gets one attempt at a time', async (_how, outcome) => {
    const [first, second] = [await pass('a'), await pass('a')];
    const third = stand('a');
    leave(first, outcome);
    await settle();
    expect([third.answer, room('a')]).toEqual(['full', 1]);
    leave(second, outcome);
    const only = await pass('a');
    expect(await traffic.acquire('a', entrance)).toBe('full');
    leave(only, quick);
    expect(room('a')).toBe(16);
  });

  it('that does not respond loses its queue, and stays slow until that attempt has ended', async () => {
    const [first, second] = [await pass('a'), await pass('a')];
    const third = stand('a');
    await jest.advanceTimersByTimeAsync(999);
    expect(third.answer).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(third.answer).toBe('full');
    leave(first, quick);
    expect(await traffic.acquire('a', entrance)).toBe('full');
    leave(second, timeout);
    expect(typeof (await pass('a'))).toBe('object');
  });
});

describe('the slots of all hosts', () => {
  it('are shared: a host gets at most four times the free slots', async () => {
    traffic = new Traffic({
      concurrency: 12,
      slowConcurrency: 2,
      hostConcurrency: 100,
      slowMs: 1_000,
      breaker: { failures: 3, pauseMs: 10_000, longestPauseMs: 60_000 },
    });
    for (const host of ['a', 'b']) await meet(host, quick);
    expect(room('a')).toBe(10);
    join('a', 10);
    expect([room('a'), room('b'), traffic.full(now)]).toEqual([0, 2, ['a']]);
  });

  it('exclude slow hosts, which have their own limit', async () => {
    for (const host of ['a', 'b', 'c']) await meet(host, slow);
    for (const host of ['a', 'b']) join(host, 1);
    expect([traffic.taken, traffic.full(now), room('c'), room('other')]).toEqual([0, ['a', 'b', 'c'], 0, 1]);
  });

  it('are released with each destination, which wakes waiters', async () => {
    const [one] = join('a', 1);
    let isTold = false;
    void traffic.changed().then(() => (isTold = true));
    one?.();
    await settle();
    expect([isTold, traffic.taken, traffic.full(now), room('a')]).toEqual([true, 0, [], 1]);
  });

  it('keep nothing for each who waits while nothing changes', () => {
    expect(traffic.changed()).toBe(traffic.changed());
  });

  it('are given in the order found, also to destinations without a known host', () => {
    const found = [{ host: 'a' }, { host: 'a' }, {}, { host: 'b' }, {}];
    expect(traffic.choose(found, now)).toEqual([{ host: 'a' }, {}, { host: 'b' }, {}]);
  });
});

describe('hosts that a process remembers', () => {
  it('are ten thousand: the one that was called the longest ago is forgotten for another, but none at work', async () => {
    for (const host of ['at work', 'a', 'b']) await meet(host, quick);
    join('at work', 1);
    for (let n = 3; n < 10_000; n += 1) traffic.canSend(`host ${String(n)}`, entrance);
    const known = () => ['at work', 'a', 'b'].map((host) => room(host));
    expect(known()).toEqual([15, 16, 16]);
    traffic.canSend('one more', entrance);
    expect(known()).toEqual([15, 1, 16]);
    traffic.canSend('b', entrance);
    traffic.canSend('and another', entrance);
    expect(known()).toEqual([15, 1, 16]);
  });
});

describe('a host that cannot be reached', () => {
  beforeEach(async () => {
    for (let n = 0; n < 3; n += 1) await meet('dead', refused);
  });

  it('is sent nothing except one probe after a pause', async () => {
    expect([traffic.canSend('dead', entrance), await traffic.acquire('dead', entrance)]).toEqual([
      'postponed',
      'postponed',
    ]);
    const later = { now: new Date(10_000) };
    expect(typeof (await pass('dead', later))).toBe('object');
    expect(await traffic.acquire('dead', { ...entrance, ...later })).toBe('postponed');
  });

  it('has its destinations claimed to postpone them, but none during a probe', async () => {
    expect(room('dead')).toBe(16);
    const later = new Date(10_000);
    expect(room('dead', later)).toBe(1);
    join('dead', 1);
    expect(traffic.full(later)).toEqual(['dead']);
    const probe = await pass('dead', { now: later });
    expect(traffic.full(new Date(50_000))).toEqual(['dead']);
    expect(probe.complete(quick, new Date(50_000))).toBe(true);
    expect(room('dead', new Date(50_000))).toBe(15);
  });

  it('gets the last attempt of callbacks that would be given up', async () => {
    expect(typeof (await pass('dead', { isLast: true }))).toBe('object');
  });

  it('postpones attempts that were already queued', async () => {
    await meet('b', quick);
    const [first, second] = [await pass('b'), await pass('b')];
    const [third, fourth] = [stand('b'), stand('b')];
    leave(first, refused);
    leave(second, refused);
    await settle();
    const fifth = stand('b');
    leave(third.answer as SendPermit, refused);
    await settle();
    expect([typeof fourth.answer, fifth.answer]).toEqual(['object', 'postponed']);
  });
});

it('the first success after failures is reported, also if they did not open the breaker', async () => {
  expect((await pass('a')).complete(refused, now)).toBe(false);
  expect((await pass('a')).complete(quick, now)).toBe(true);
  expect((await pass('a')).complete(timeout, now)).toBe(false);
  expect((await pass('a')).complete(quick, now)).toBe(true);
  expect((await pass('a')).complete(quick, now)).toBe(false);
});

it('a host that has only refused connections is not known to be quick', async () => {
  await meet('a', refused);
  expect(room('a')).toBe(1);
  await meet('b', timeout);
  await meet('b', refused);
  expect(traffic.full(now)).toEqual([]);
  join('b', 1);
  expect(traffic.full(now)).toEqual(['b']);
});

it('the first success of a host is reported, because another process may have postponed its callbacks', async () => {
  const [first, second] = [await pass('a', {}), undefined];
  expect([first.complete(quick, now), second]).toEqual([true, undefined]);
  expect((await pass('a')).complete(quick, now)).toBe(false);
  expect((await pass('b')).complete(refused, now)).toBe(false);
});

describe('a permit that is cancelled', () => {
  it('releases its slot to the next attempt and does not change what is known of the host', async () => {
    await meet('a', quick);
    const [first] = [await pass('a'), await pass('a')];
    const place = stand('a');
    first.cancel();
    await settle();
    expect(place.answer).toHaveProperty('complete');
    expect(room('a')).toBe(16);
  });

  it('lets another attempt probe a host whose breaker is open', async () => {
    for (let failures = 0; failures < 3; failures += 1) await meet('a', refused);
    const later = { ...entrance, now: new Date(10_000) };
    const probe = await pass('a', later);
    expect(traffic.canSend('a', later)).toBe('postponed');
    probe.cancel();
    expect(traffic.canSend('a', later)).toBe('go');
  });
});
