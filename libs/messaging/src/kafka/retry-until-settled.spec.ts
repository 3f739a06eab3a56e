import { retryUntilSettled } from './retry-until-settled';

const failing = (times: number) => {
  let asked = 0;
  return () => (asked++ < times ? Promise.reject(new Error(`not yet ${String(asked)}`)) : Promise.resolve(asked));
};

afterEach(() => {
  jest.useRealTimers();
});

it('asks again while the error is transient', async () => {
  expect(await retryUntilSettled(failing(2), () => true)).toBe(3);
});

it('throws any other error at once', async () => {
  await expect(retryUntilSettled(failing(2), (error) => !(error as Error).message.endsWith('1'))).rejects.toThrow(
    'not yet 1',
  );
});

it('throws the last error when the time is over', async () => {
  jest.useFakeTimers();
  const asked = expect(retryUntilSettled(failing(Infinity), () => true, 250)).rejects.toThrow(/^not yet 4$/);
  await jest.advanceTimersByTimeAsync(1_000);
  await asked;
});
