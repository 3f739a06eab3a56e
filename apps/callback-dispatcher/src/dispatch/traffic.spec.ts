import type { Answer, Pass } from './host-queue';
import type { Outcome } from './outcome';
import { hostLabel, Traffic } from './traffic';

const entrance = { now: new Date(0), isLast: false };
const quick: Outcome = { kind: 'delivered', status: 202, durationMs: 5 };
const slow: Outcome = { kind: 'delivered', status: 202, durationMs: 1_000 };
const timeout: Outcome = { kind: 'failed', reason: 'timeout', durationMs: 400 };
const refused: Outcome = { kind: 'failed', reason: 'unreachable', durationMs: 1 };

let traffic: Traffic;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  traffic = new Traffic({ hostConcurrency: 2, slowMs: 1_000, slowConcurrency: 2, breaker: { failures: 3, pauseMs: 10_000 } });
});
afterEach(() => jest.useRealTimers());

const settle = () => new Promise((resolve) => setImmediate(resolve));
const pass = async (host: string, more: Partial<typeof entrance> = {}) => (await traffic.enter(host, { ...entrance, ...more })) as Pass;
const leave = (one: Pass, outcome: Outcome) => one.leave(outcome, entrance.now);
/** Stands in line; tells the answer once there is one. */
const stand = (host: string) => {
  const place: { answer?: Answer } = {};
  void traffic.enter(host, entrance).then((answer) => (place.answer = answer));
  return place;
};
const makeSlow = async (host: string) => leave(await pass(host), slow);

it('one host takes so many tries at a time, and who comes then waits for a place, each in turn', async () => {
  const [first] = [await pass('a'), await pass('a')];
  const [third, fourth] = [stand('a'), stand('a')];
  await settle();
  expect([third.answer, fourth.answer]).toEqual([undefined, undefined]);
  leave(first, quick);
  await settle();
  expect([typeof third.answer, fourth.answer]).toEqual(['object', undefined]);
});

it('a full host delays no other', async () => {
  await pass('a');
  await pass('a');
  stand('a');
  expect(typeof (await pass('b'))).toBe('object');
});

describe('a host that answers slowly, or not in time', () => {
  it.each([['slowly', slow], ['not in time', timeout]])('%s gets one try at a time, and the others are turned away', async (_how, outcome) => {
    leave(await pass('a'), outcome);
    expect(traffic.slowHosts()).toEqual(['a']);
    const only = await pass('a');
    expect(await traffic.enter('a', entrance)).toBe('full');
    expect(traffic.openSlowHosts()).toEqual([]);
    leave(only, slow);
    expect(traffic.openSlowHosts()).toEqual(['a']);
    traffic.emptied('a');
    expect(traffic.openSlowHosts()).toEqual([]);
  });

  it('turns away who stood in line', async () => {
    const [first] = [await pass('a'), await pass('a')];
    const third = stand('a');
    leave(first, slow);
    await settle();
    expect(third.answer).toBe('full');
  });

  it('is as before after a quick answer', async () => {
    await makeSlow('a');
    leave(await pass('a'), quick);
    expect(traffic.slowHosts()).toEqual([]);
    expect([await pass('a'), await pass('a')].map((one) => typeof one)).toEqual(['object', 'object']);
  });

  it('shares a part of all places with the other slow ones', async () => {
    for (const host of ['a', 'b', 'c']) await makeSlow(host);
    for (const host of ['a', 'b']) await pass(host);
    expect([await traffic.enter('c', entrance), traffic.openSlowHosts()]).toEqual(['full', []]);
    expect(typeof (await pass('quick'))).toBe('object');
  });
});

describe('the line of a host', () => {
  it('is sent away where nobody is served for a while, which shows that the host is slow', async () => {
    await pass('a');
    await pass('a');
    const third = stand('a');
    await jest.advanceTimersByTimeAsync(999);
    expect(third.answer).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect([third.answer, traffic.slowHosts()]).toEqual(['full', ['a']]);
  });

  it('moves on while some are served, but nobody stands in it for long', async () => {
    let first = await pass('a');
    await pass('a');
    const patient = Array.from({ length: 9 }, () => stand('a'));
    for (let n = 0; n < 3; n += 1) {
      await jest.advanceTimersByTimeAsync(500);
      leave(first, quick);
      await settle();
      first = patient[n]?.answer as Pass;
      expect(typeof first).toBe('object');
    }
    await jest.advanceTimersByTimeAsync(500);
    expect(patient.slice(3).map(({ answer }) => answer)).toEqual(Array(6).fill('full'));
    expect(traffic.slowHosts()).toEqual([]);
  });
});

describe('a host that cannot be reached', () => {
  beforeEach(async () => { for (let n = 0; n < 3; n += 1) leave(await pass('dead'), refused); });

  it('is sent nothing, but for one probe after a pause', async () => {
    expect([traffic.outlook('dead', entrance), await traffic.enter('dead', entrance)]).toEqual(['postponed', 'postponed']);
    const later = { now: new Date(10_000) };
    expect(typeof (await pass('dead', later))).toBe('object');
    expect(await traffic.enter('dead', { ...entrance, ...later })).toBe('postponed');
  });

  it('is sent the last try of what would be given up', async () => {
    expect(typeof (await pass('dead', { isLast: true }))).toBe('object');
  });

  it('is no slow one, so that what waits for it is claimed and put off', async () => {
    leave(await pass('dead', { isLast: true }), timeout);
    expect(traffic.slowHosts()).toEqual([]);
  });

  it('postpones who stood in line when that was found out', async () => {
    const [first, second] = [await pass('b'), await pass('b')];
    const [third, fourth] = [stand('b'), stand('b')];
    leave(first, refused);
    leave(second, refused);
    await settle();
    const fifth = stand('b');
    leave(third.answer as Pass, refused);
    await settle();
    expect([typeof fourth.answer, fifth.answer]).toEqual(['object', 'postponed']);
  });
});

it('hosts are told apart in lanes by labels that do not show them', () => {
  expect(hostLabel('controller.example')).toMatch(/^[\w-]{16}$/);
  expect(hostLabel('controller.example')).not.toBe(hostLabel('controller.example:8443'));
});
