import { CallJoiner } from './call-joiner';

const opened = (limit?: number) => {
  const calls: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const run = async (inputs: readonly number[]) => {
    calls.push(inputs);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (inputs.includes(13)) throw new Error('away');
    return inputs.map((input) => input * 2);
  };
  return { calls, gathered: new CallJoiner(run, limit), end: () => ends.shift()?.() };
};
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('asks once for what is asked in one turn, and once for all that came meanwhile', async () => {
  const { calls, gathered, end } = opened();
  const first = Promise.all([1, 2, 3].map((input) => gathered.call(input)));
  await settle();
  const second = Promise.all([4, 5].map((input) => gathered.call(input)));
  await settle();
  expect(calls).toEqual([[1, 2, 3]]);
  end();
  expect(await first).toEqual([2, 4, 6]);
  await settle();
  expect(calls).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  end();
  expect(await second).toEqual([8, 10]);
});

it('asks for no more at once than its limit', async () => {
  const { calls, gathered, end } = opened(2);
  const all = Promise.all([1, 2, 3].map((input) => gathered.call(input)));
  await settle();
  end();
  await settle();
  end();
  expect([await all, calls]).toEqual([
    [2, 4, 6],
    [[1, 2], [3]],
  ]);
});

it('fails all who asked together, and no later ones', async () => {
  const { gathered, end } = opened();
  const failed = Promise.allSettled([1, 13].map((input) => gathered.call(input)));
  await settle();
  end();
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const later = gathered.call(2);
  await settle();
  end();
  expect(await later).toBe(4);
});
