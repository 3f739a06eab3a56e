import { CallLedger, type Call } from './call-ledger';

const well = { broken: [], putOff: [], refused: [], wrong: [] };
const call = (outcome: number | string, more: Partial<Call> = {}): Call => ({
  what: 'cancel',
  outcome,
  expected: [202, 400],
  ...more,
});

function ledgerOf(...calls: Call[]): CallLedger {
  const ledger = new CallLedger();
  for (const each of calls) ledger.note(each);
  return ledger;
}

it('finds no fault if every call was answered with one of its expected statuses', () => {
  const ledger = ledgerOf(call(202), call(400), call(202));
  expect(ledger.faults()).toEqual(well);
  expect([ledger.answered, ledger.counts()]).toEqual([3, { 'cancel 202': 2, 'cancel 400': 1 }]);
});

it.each<[string, Call, object]>([
  ['a call without an answer', call('ECONNRESET'), { broken: ['cancel ECONNRESET'] }],
  [
    'a call that is refused each time it is repeated',
    call(503, { retryAfter: true, refusals: 3 }),
    { putOff: ['cancel 503'], refused: ['cancel 503'] },
  ],
  ['one that is answered when it is repeated', call(202, { refusals: 1 }), { putOff: ['cancel 503'] }],
  [
    'one that breaks when it is repeated',
    call('ECONNRESET', { refusals: 1 }),
    {
      broken: ['cancel ECONNRESET'],
      putOff: ['cancel 503'],
    },
  ],
  ['one that does not say when', call(503), { wrong: ['cancel 503'] }],
  ['any other', call(404), { wrong: ['cancel 404'] }],
])('finds %s', (_what, fault, found) => {
  expect(ledgerOf(call(202), fault).faults()).toEqual({ ...well, ...found });
});
