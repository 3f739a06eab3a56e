import { newCredential } from './new-credential';

it('makes a key and a 256-bit secret with different prefixes, a new pair each time', () => {
  const made = newCredential();
  expect(made.key).toMatch(/^dsrk_[A-Za-z0-9_-]{22}$/);
  expect(made.secret).toMatch(/^dsrs_[A-Za-z0-9_-]{43}$/);
  expect(newCredential()).not.toEqual(made);
});
