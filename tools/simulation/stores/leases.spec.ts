import { messageId } from '@opendsr-service/contracts';
import { Leases } from './leases';

const DESTINATIONS = 'callback_dispatcher.destinations';
const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';
const destination = `acme:${srid}|a`;
const [a, b] = ['dispatcher-a.1', 'dispatcher-b.1'].map((name) => ({ name, isAlive: true })) as [
  { name: string; isAlive: true },
  { name: string; isAlive: true },
];
const claim = (leases: Leases, ms: number, owner = a) =>
  leases.note(owner, DESTINATIONS, [{ _id: { $in: [destination] } }, { $set: { dueAt: new Date(ms), token: 't' } }]);
const until = (leases: Leases, owner = a) => leases.until(owner, srid, messageId(destination, 3));

it('knows until when a process holds the destination of a callback, by its claim and by what renews it', () => {
  const leases = new Leases();
  claim(leases, 10);
  expect(until(leases)).toBe(10);
  leases.note(a, DESTINATIONS, [{ _id: destination, token: 't' }, { $set: { dueAt: new Date(20) } }]);
  expect(until(leases)).toBe(20);
});

it('takes a destination that is let go of, or queues a callback, for no lease, nor what others hold, nor other collections', () => {
  const leases = new Leases();
  claim(leases, 10);
  leases.note(a, DESTINATIONS, [
    { _id: destination, token: 't' },
    { $set: { dueAt: new Date(90) }, $unset: { token: 1 } },
  ]);
  leases.note(a, DESTINATIONS, [{ _id: destination, dueAt: { $exists: false } }, { $set: { dueAt: new Date(5) } }]);
  leases.note(a, DESTINATIONS, [{ _id: destination, token: { $exists: false } }, { $set: { dueAt: new Date(5) } }]);
  leases.note(a, 'gateway.requests', [{ _id: destination }, { $set: { dueAt: new Date(90) } }]);
  leases.note(a, DESTINATIONS, [[{ updateOne: {} }], { ordered: false }]);
  claim(leases, 50, b);
  expect([until(leases), until(leases, b)]).toEqual([10, 50]);
});

it('knows no lease of a process that claimed nothing, and none of another callback', () => {
  const leases = new Leases();
  claim(leases, 10);
  expect([until(leases, b), leases.until(a, srid, messageId(`acme:${srid}|b`, 1))]).toEqual([undefined, undefined]);
});
