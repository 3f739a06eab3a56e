import { createSecretKey, randomBytes } from 'node:crypto';
import { SecretHash } from './secret-hash';

const hash = new SecretHash(createSecretKey(randomBytes(32)));
const credentials = { key: 'dsrk_a', secret: 'dsrs_b' };

describe('the hash of a secret', () => {
  it('matches its own key and secret and no other', () => {
    const kept = hash.hashOf(credentials);
    expect(hash.matches(credentials, kept)).toBe(true);
    expect(hash.matches({ ...credentials, secret: 'dsrs_c' }, kept)).toBe(false);
    expect(hash.matches({ ...credentials, key: 'dsrk_c' }, kept)).toBe(false);
  });

  it('matches only under its own hash key, so that a copy of the database proves nothing', () => {
    expect(new SecretHash(createSecretKey(randomBytes(32))).matches(credentials, hash.hashOf(credentials))).toBe(false);
  });

  it.each([[undefined], [''], ['AAAA'], [Buffer.alloc(64).toString('base64url')]])(
    'does not match the stored value %j',
    (kept) => {
      expect(hash.matches(credentials, kept)).toBe(false);
    },
  );
});
