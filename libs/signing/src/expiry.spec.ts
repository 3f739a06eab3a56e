import { expiryNotice, ExpiryNotices } from './expiry';

const DAY_MS = 24 * 3600 * 1000;
const now = new Date('2026-01-01T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

it.each([
  [100, undefined],
  [30.001, undefined],
  [30, 30],
  [14.001, 30],
  [14, 14],
  [3.001, 14],
  [3, 3],
  [0, 3],
  [-0.001, 0],
  [-100, 0],
])('a certificate that ends in %d days has the notice of %s days', (days, notice) => {
  expect(expiryNotice(inDays(days), now)).toBe(notice);
});

it('gives each notice once for each certificate, and no missed one', () => {
  const notices = new ExpiryNotices();
  const one = { fingerprint: 'one', notAfter: inDays(40) };
  const given = [0, 9, 10, 11, 25, 26, 39, 40, 41, 50].map((days) => notices.due(one, inDays(days)));
  expect(given).toEqual([undefined, undefined, 30, undefined, undefined, 14, 3, undefined, 0, undefined]);

  const late = { fingerprint: 'late', notAfter: inDays(5) };
  expect([0, 1, 2].map((days) => notices.due(late, inDays(days)))).toEqual([14, undefined, 3]);
  expect(notices.due(one, inDays(60))).toBeUndefined();
});
