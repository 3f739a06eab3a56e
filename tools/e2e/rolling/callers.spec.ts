import { Calls } from './callers';

const answered = (status: number, headers = {}) => ({ status, headers: new Headers(headers), body: Buffer.alloc(0) });
const refusal = answered(503, { 'retry-after': '0' });

function callerThatGets(...answers: ReturnType<typeof answered>[]) {
  const [calls, left] = [new Calls(), [...answers]];
  return { calls, left, call: () => Promise.resolve(left.shift() ?? refusal) };
}

it('repeats a refused call until it is answered', async () => {
  const { calls, left, call } = callerThatGets(refusal, refusal, answered(201));
  expect(await calls.noted('create', [201], call)).toMatchObject({ status: 201 });
  expect(left).toEqual([]);
  expect(calls.ledger.counts()).toEqual({ 'create 201': 1 });
  expect(calls.ledger.faults()).toEqual({ broken: [], putOff: ['create 503'], refused: [], wrong: [] });
});

it('gives a call up that is always refused, and says so', async () => {
  const { calls, call } = callerThatGets();
  expect(await calls.noted('create', [201], call)).toMatchObject({ status: 503 });
  expect(calls.ledger.faults()).toMatchObject({ putOff: ['create 503'], refused: ['create 503'] });
});

it('repeats nothing that does not say when to come again', async () => {
  const { calls, left, call } = callerThatGets(answered(503), answered(201));
  await calls.noted('create', [201], call);
  expect(left).toHaveLength(1);
  expect(calls.ledger.faults()).toMatchObject({ putOff: [], wrong: ['create 503'] });
});

it('takes other answers for right when a call is repeated', async () => {
  const { calls, call } = callerThatGets(refusal, answered(400));
  await calls.noted('cancel', [202], call, [202, 400]);
  expect(calls.ledger.faults()).toMatchObject({ broken: [], refused: [], wrong: [] });
});
