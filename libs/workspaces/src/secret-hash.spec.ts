import { createSecretKey, randomBytes } from 'node:crypto';
import { SecretHash } from './secret-hash';

const hash = new SecretHash(createSecretKey(randomBytes(32)));
const credentials = { key: 'dsrk_a', secret: 'dsrs_b' };

describe('the hash of a secret', () => {
  it('matches its own key and secret and no other', () => {
    const kept = hash.of(credentials);
    expect(hash.matches(credentials, kept)).toBe(true);
    expect(hash.matches({ ...credentials, secret: 'dsrs_c' }, kept)).toBe(false);
    expect(hash.matches({ ...credentials, key: 'dsrk_c' }, kept)).toBe(false);
  });

  it('matches under its own hash key alone, so that a copy of the database proves nothing', () => {
    expect(new SecretHash(createSecretKey(randomBytes(32))).matches(credentials, hash.of(credentials))).toBe(false);
  });

  it.each([[undefined], [''], ['AAAA'], [Buffer.alloc(64).toString('base64url')]])(
    'does not match where %j is kept',
    (kept) => {
      expect(hash.matches(credentials, kept)).toBe(false);
    },
  );
});
