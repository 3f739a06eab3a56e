import { SHARED_MS, SharedAnswers } from './shared-answers';

function world() {
  let nowMs = Date.parse('2026-11-26T12:00:00Z');
  const shared = new SharedAnswers<number>({ now: () => new Date(nowMs) });
  let made = 0;
  const make = () => Promise.resolve((made += 1));
  return { shared, make, pass: (ms: number) => void (nowMs += ms) };
}

it('makes an answer once for all who ask for it within a second', async () => {
  const { shared, make, pass } = world();
  expect(await Promise.all([shared.get('all', make), shared.get('all', make)])).toEqual([1, 1]);
  pass(SHARED_MS);
  expect(await shared.get('all', make)).toBe(1);
  pass(1);
  expect(await shared.get('all', make)).toBe(2);
});

it('gives nobody the answer of others who reach other workspaces', async () => {
  const { shared, make } = world();
  expect(await shared.get('all', make)).toBe(1);
  expect(await shared.get(['acme'], make)).toBe(2);
  expect(await shared.get(['acme', 'sandbox'], make)).toBe(3);
  expect(await shared.get(['acme'], make)).toBe(2);
});

it('asks again after a failure', async () => {
  const { shared, make } = world();
  await expect(shared.get('all', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await shared.get('all', make)).toBe(1);
});
