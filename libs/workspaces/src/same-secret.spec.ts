import { isSameSecret } from './same-secret';

it('matches a secret with itself only, at any length, and never without a stored one', () => {
  expect(isSameSecret('dsrp_a', Buffer.from('dsrp_a'))).toBe(true);
  for (const other of ['', 'dsrp_b', 'dsrp_aa', 'dsrp_'])
    expect(isSameSecret(other, Buffer.from('dsrp_a'))).toBe(false);
  for (const given of ['', 'dsrp_a']) expect(isSameSecret(given, undefined)).toBe(false);
});
