import { poll } from './poll';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('asks again only after an answer, whatever it is, until it is ended', async () => {
  const leaving = new AbortController();
  const answers: PromiseWithResolvers<void>[] = [];
  const ask = () => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  const polling = poll(ask, 1_000, leaving.signal);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(1);
  answers[0]?.reject(new Error('away'));
  await jest.advanceTimersByTimeAsync(999);
  expect(answers).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(answers).toHaveLength(2);
  leaving.abort();
  answers[1]?.resolve();
  await jest.advanceTimersByTimeAsync(1_000);
  await polling;
  expect(answers).toHaveLength(2);
});
