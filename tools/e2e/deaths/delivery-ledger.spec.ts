import type { RequestStatus } from '@opendsr-service/contracts';
import { DeliveryLedger, type Heard } from './delivery-ledger';

const well = { lost: [], disordered: [], unlike: [], unbelieved: [] };
const heard = (status: RequestStatus, more: Partial<Heard> = {}): Heard => ({
  status,
  delivery: status,
  body: Buffer.from(status),
  isBelieved: true,
  isAccepted: true,
  ...more,
});

function ledgerOf(...all: Heard[]): DeliveryLedger {
  const ledger = new DeliveryLedger(new Map([['a', ['pending', 'cancelled']]]));
  for (const each of all) ledger.note('a', each);
  return ledger;
}

it('finds no fault in callbacks that come in order, with failed attempts and equal repeats', () => {
  const ledger = ledgerOf(
    heard('pending', { isAccepted: false }),
    heard('pending'),
    heard('pending'),
    heard('cancelled'),
    heard('cancelled'),
  );
  expect(ledger.faults()).toEqual(well);
  expect([ledger.total, ledger.accepted, ledger.repeats]).toEqual([2, 2, 2]);
});

it('reports a callback that was never accepted as lost', () => {
  expect(ledgerOf(heard('pending'), heard('cancelled', { isAccepted: false })).faults()).toEqual({
    ...well,
    lost: ['a cancelled'],
  });
});

it.each<[string, Heard[]]>([
  [
    'a later status before the earlier was accepted',
    [heard('pending', { isAccepted: false }), heard('cancelled'), heard('pending')],
  ],
  ['an earlier status again after a later one', [heard('pending'), heard('cancelled'), heard('pending')]],
])('finds %s', (_what, all) => {
  expect(ledgerOf(...all).faults().disordered).toHaveLength(1);
});

it.each<[string, Partial<Heard>]>([
  ['other bytes', { body: Buffer.from('else') }],
  ['another id', { delivery: 'else' }],
])('finds a repeat with %s', (_what, change) => {
  expect(ledgerOf(heard('pending'), heard('pending', change), heard('cancelled')).faults()).toEqual({
    ...well,
    unlike: ['a pending'],
  });
});

it('finds an id that two callbacks share, and a callback that fails its checks', () => {
  expect(ledgerOf(heard('pending'), heard('cancelled', { delivery: 'pending' })).faults()).toEqual({
    ...well,
    unlike: ['a cancelled'],
  });
  expect(ledgerOf(heard('pending', { isBelieved: false }), heard('cancelled')).faults()).toEqual({
    ...well,
    unbelieved: ['a pending'],
  });
});
