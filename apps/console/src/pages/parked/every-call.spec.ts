import { everyCall, type Call } from './every-call';

const answering = (answers: Readonly<Record<string, Call>>) => (cursor: string | null) => {
  const answer = answers[cursor ?? 'begin'];
  return answer ? Promise.resolve(answer) : Promise.reject(new Error(`no answer at ${String(cursor)}`));
};

it('sums up calls until nothing is left', async () => {
  const call = answering({ begin: { counts: [100, 1], next: 'a' }, a: { counts: [20, 3], next: null } });
  expect(await everyCall(call)).toEqual({ counts: [120, 4] });
});

it('keeps the sums of the calls before the one that fails', async () => {
  const call = answering({ begin: { counts: [100, 1], next: 'a' }, a: { counts: [20, 3], next: 'b' } });
  expect(await everyCall(call)).toEqual({ counts: [120, 4], error: new Error('no answer at b') });
});

it('fails where the first call fails', async () => {
  await expect(everyCall(answering({}))).rejects.toThrow('no answer at null');
});
