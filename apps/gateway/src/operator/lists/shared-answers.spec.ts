import { FRESH_MS, LONGEST_MS, MOST_FRESH_MS, SharedAnswers } from './shared-answers';

function world() {
  let nowMs = Date.parse('2026-11-26T12:00:00Z');
  const answers = new SharedAnswers<number>({ now: () => new Date(nowMs) });
  const shared = { get: async (...of: Parameters<typeof answers.get>) => (await answers.get(...of)).answer };
  let made = 0;
  const pass = (ms: number) => void (nowMs += ms);
  const make = () => Promise.resolve((made += 1));
  /** Takes so long. */
  const makeIn = (ms: number) => () => {
    pass(ms);
    return make();
  };
  const ageMs = async () => nowMs - (await answers.get('all', make)).at.getTime();
  return { shared, make, makeIn, made: () => made, pass, ageMs };
}
const settled = () => new Promise(setImmediate);
const failing = () => Promise.reject(new Error('away'));

it('makes an answer once for all who ask for it within a second', async () => {
  const { shared, make, pass, made } = world();
  expect(await Promise.all([shared.get('all', make), shared.get('all', make)])).toEqual([1, 1]);
  pass(FRESH_MS);
  expect([await shared.get('all', make), made()]).toEqual([1, 1]);
});

it('lets nobody wait while it makes an answer anew, once', async () => {
  const { shared, make, pass, made } = world();
  await shared.get('all', make);
  pass(FRESH_MS + 1);
  expect(await Promise.all([shared.get('all', make), shared.get('all', make)])).toEqual([1, 1]);
  expect(made()).toBe(2);
  await settled();
  expect([await shared.get('all', make), made()]).toEqual([2, 2]);
});

it('gives no answer that is older than four seconds', async () => {
  const { shared, make, pass } = world();
  await shared.get('all', make);
  pass(LONGEST_MS + 1);
  expect(await shared.get('all', make)).toBe(2);
});

it('makes no second answer while one is made, however long it takes', async () => {
  const { shared, pass } = world();
  const making: PromiseWithResolvers<number>[] = [];
  const get = () =>
    shared.get('all', () => {
      const one = Promise.withResolvers<number>();
      making.push(one);
      return one.promise;
    });
  const finish = (answer: number) => {
    for (const one of making) one.resolve(answer);
  };
  const first = [get()];
  for (const ms of [FRESH_MS + 1, LONGEST_MS]) {
    pass(ms);
    first.push(get());
  }
  finish(1);
  expect([await Promise.all(first), making.length]).toEqual([[1, 1, 1], 1]);

  const second = get();
  finish(2);
  expect(await second).toBe(2);
  pass(MOST_FRESH_MS + 1);
  expect(await get()).toBe(2);
  pass(LONGEST_MS);
  const third = get();
  finish(3);
  expect([await third, making.length]).toEqual([3, 3]);
});

it('says how old an answer is, from when it was begun', async () => {
  const { shared, makeIn, pass, ageMs } = world();
  await shared.get('all', makeIn(30));
  pass(FRESH_MS - 30);
  expect(await ageMs()).toBe(FRESH_MS);
});

it.each([
  ['a twentieth of the time', 100, 2_000],
  ['but each three seconds', 2_000, MOST_FRESH_MS],
])('takes %s to make an answer anew', async (_what, tookMs, freshMs) => {
  const { shared, makeIn, pass, made } = world();
  await shared.get('all', makeIn(tookMs));
  pass(freshMs - tookMs);
  await shared.get('all', makeIn(tookMs));
  expect(made()).toBe(1);
  pass(1);
  await shared.get('all', makeIn(tookMs));
  expect(made()).toBe(2);
});

it('gives nobody the answer of others who reach other workspaces', async () => {
  const { shared, make } = world();
  expect(await shared.get('all', make)).toBe(1);
  expect(await shared.get(['acme'], make)).toBe(2);
  expect(await shared.get(['acme', 'sandbox'], make)).toBe(3);
  expect(await shared.get(['acme'], make)).toBe(2);
});

it('asks again after a failure, and goes on with the answer before meanwhile', async () => {
  const { shared, make, pass } = world();
  await expect(shared.get('all', failing)).rejects.toThrow('away');
  expect(await shared.get('all', make)).toBe(1);
  pass(FRESH_MS + 1);
  expect(await shared.get('all', failing)).toBe(1);
  await settled();
  expect(await shared.get('all', make)).toBe(1);
  await settled();
  expect(await shared.get('all', make)).toBe(2);
});
