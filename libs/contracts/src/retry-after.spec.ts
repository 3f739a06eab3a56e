import { retryAfterMs } from './retry-after';

const now = new Date('2026-11-21T12:00:00.000Z');

it.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2026 11:01:00 GMT', 0],
  ['Saturday, 21-Nov-26 12:01:00 GMT', 60_000],
  ['Sat Nov 21 12:01:00 2026', 60_000],
  ['Tue Dec  1 12:00:00 2026', 10 * 24 * 3600_000],
])('Retry-After %j asks to wait %i ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

it.each([
  '',
  '1.5',
  '-1',
  '12345678901',
  'tomorrow',
  '2026-11-21T13:00:00Z',
  '2026-11-21',
  'Sat, never',
  'Sat, 21 Nov 2026 13:00:00',
  'Sat, 21 Nov 2026 13:00:00 +0100',
  'Sat, 99 Nov 2026 13:00:00 GMT',
])('Retry-After %j is neither seconds nor an HTTP date, and has no effect', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined();
});
