import { notifyWhenLate } from './notify-when-late';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function begun() {
  const work = Promise.withResolvers<string>();
  const notified = { late: 0 };
  const answer = notifyWhenLate(work.promise, 250, () => void (notified.late += 1));
  return { work, notified, answer };
}

it('reports late work once, and settles as the work', async () => {
  const { work, notified, answer } = begun();
  await jest.advanceTimersByTimeAsync(249);
  expect(notified.late).toBe(0);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(notified.late).toBe(1);
  work.resolve('done');
  expect(await answer).toBe('done');
});

it('does not count a pause of this process, and leaves no timer', async () => {
  const { work, notified, answer } = begun();
  const blocked = Date.now() + 10_000;
  jest.setSystemTime(blocked);
  jest.advanceTimersToNextTimer();
  work.reject(new Error('away'));
  await expect(answer).rejects.toThrow('away');
  expect([notified.late, jest.getTimerCount()]).toEqual([0, 0]);
});
