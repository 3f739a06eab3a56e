import { HostOutcomes, type HostAttempt } from './host-outcomes';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));
const tried = (second: number, outcome: HostAttempt['outcome'], pausedUntil?: Date): HostAttempt => ({
  ...{ at: at(second), outcome, httpStatus: outcome === 'delivered' ? 202 : undefined, pausedUntil },
});
const of = { ws: 'acme', host: 'h' };

let outcomes: HostOutcomes;
beforeEach(() => {
  outcomes = new HostOutcomes();
});

it('keeps the last attempt of a host, the last success, and the first failure since then', () => {
  for (const attempt of [tried(1, 'rejected'), tried(2, 'delivered'), tried(3, 'unreachable'), tried(4, 'rejected')])
    outcomes.tried(of, attempt);
  outcomes.tried({ ws: 'other', host: 'h' }, tried(5, 'delivered'));
  expect(outcomes.takeChanges()).toEqual([
    { ...of, last: tried(4, 'rejected'), deliveredAt: at(2), failingSince: at(3) },
    { ws: 'other', host: 'h', last: tried(5, 'delivered'), deliveredAt: at(5) },
  ]);
  expect(outcomes.takeChanges()).toEqual([]);
});

it('takes back what could not be written, and keeps what happened since', () => {
  outcomes.tried(of, tried(1, 'rejected'));
  const taken = outcomes.takeChanges();
  outcomes.tried(of, tried(2, 'unreachable'));
  outcomes.returnChanges(taken);
  expect(outcomes.takeChanges()).toEqual([{ ...of, last: tried(2, 'unreachable'), failingSince: at(1) }]);
  outcomes.tried(of, tried(3, 'delivered'));
  outcomes.returnChanges(taken);
  expect(outcomes.takeChanges()).toEqual([{ ...of, last: tried(3, 'delivered'), deliveredAt: at(3) }]);
  outcomes.returnChanges(taken);
  expect(outcomes.takeChanges()).toEqual(taken);
});
