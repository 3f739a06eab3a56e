import { Calls } from './callers';
import { cancelSurely } from './sure-cancel';

const BROKEN = 'ECONNRESET';
const broken = () => Promise.reject(Object.assign(new Error('reset'), { code: BROKEN }));
const answered = (status: number) => () =>
  Promise.resolve({
    status,
    headers: new Headers(status === 503 ? { 'retry-after': '0' } : {}),
    body: Buffer.alloc(0),
  });

it.each([
  ['one that starts soon and is cancelled in time', true, [answered(202)], 'cancelled'],
  ['one that has started', true, [answered(400)], 'completed'],
  ['one that starts soon, where the first call was not heard', true, [broken, answered(202)], 'cancelled'],
  ['one that starts soon, where the first call may have been heard', true, [broken, answered(400)], undefined],
  ['one that waits, where the first call was not heard', false, [broken, broken, answered(202)], 'cancelled'],
  ['one that waits, where the first call was heard', false, [broken, answered(400)], 'cancelled'],
  ['one that waits, where the first call was put off', false, [answered(503), answered(202)], 'cancelled'],
  ['one that starts soon, where the first call was put off', true, [answered(503), answered(400)], undefined],
])('expects the right end with %s', async (_what, startsSoon, comes, end) => {
  const calls = new Calls();
  const answers = comes.values();
  expect(await cancelSurely(calls, startsSoon, () => (answers.next().value ?? broken)())).toBe(end);
  expect([answers.next().done, calls.ledger.faults().wrong]).toEqual([true, []]);
});

it('finds a fault in a cancel that is refused although the request still waits', async () => {
  const calls = new Calls();
  await cancelSurely(calls, false, answered(400));
  expect(calls.ledger.faults().wrong).toEqual(['cancel 400']);
});

it('asks again after a fault, which says nothing of the request', async () => {
  const calls = new Calls();
  const answers = [answered(500), answered(202)].values();
  expect(await cancelSurely(calls, false, () => (answers.next().value ?? broken)())).toBe('cancelled');
  expect([answers.next().done, calls.ledger.faults().wrong]).toEqual([true, ['cancel 500']]);
});
