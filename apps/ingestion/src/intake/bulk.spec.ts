import 'reflect-metadata';
import { checkBulk } from './bulk';

const now = new Date('2026-11-20T08:00:00Z');
const rules = { batchBytes: 131_072, batchesPerCall: 100, eventsPerBatch: 10_000 };
const judge = (batches: readonly object[]) => checkBulk(batches, Buffer.from(JSON.stringify(batches)), rules, now);
const bad = { user_identities: { email: 'e' }, events: Array.from({ length: 900 }, () => ({})) };
const good = { user_identities: { email: 'e' }, events: [{ event_type: 'a', data: {} }] };

it('collects as many faults as an answer names, and then one for each batch', () => {
  const judged = judge([bad, ...Array.from({ length: 94 }, () => bad), good]);
  expect(judged.map((one) => ('faults' in one ? one.faults.length : 'good'))).toEqual([
    101,
    ...Array.from({ length: 94 }, () => 1),
    'good',
  ]);
});

it('counts the events of a batch before it checks them', () => {
  const tooMany = { ...bad, events: Array.from({ length: 10_001 }, () => ({})), ip: 'x' };
  expect(judge([tooMany, good])[0]).toMatchObject({
    faults: [{ message: '[0].events holds more than 10000 events.' }],
  });
});
