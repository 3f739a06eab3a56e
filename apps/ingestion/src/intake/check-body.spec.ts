import 'reflect-metadata';
import { readBatch } from './batch';
import { identitiesOf } from './check-body';

const now = new Date('2026-11-20T08:00:00Z');
const tooLong = { user_identities: { email: 'A'.repeat(4_097) }, events: [] };

it('counts Unicode characters, and not their halves in UTF-16', () => {
  const longest = '\u{20b9f}'.repeat(4_096);
  const read = (value: string) => identitiesOf({ user_identities: { customer_id: value } }, now);
  expect(read(longest).map(({ identity }) => identity.value)).toEqual([longest]);
  expect(() => read(`${longest}x`)).toThrow('must be a string of at most 4096 Unicode characters.');
});

it.each([
  ['identify', () => identitiesOf(tooLong, now)],
  ['batch', () => readBatch({ json: tooLong, body: Buffer.alloc(0), at: '' }, { eventsPerBatch: 1 }, now)],
])('normalises no identity of a faulty body: %s', (_, read) => {
  const lowered = jest.spyOn(String.prototype, 'toLowerCase');
  let message = '';
  try {
    read();
  } catch (error) {
    message = JSON.stringify(error);
  }
  const isNormalised = lowered.mock.contexts.some((text) => String(text) === tooLong.user_identities.email);
  lowered.mockRestore();
  expect([message.includes('user_identities.email must be a string of at most 4096'), isNormalised]).toEqual([
    true,
    false,
  ]);
});
