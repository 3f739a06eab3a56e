import { createSecretKey, randomBytes } from 'node:crypto';
import { blindIndex } from './blind-index';

describe('a blind index', () => {
  const index = blindIndex(createSecretKey(randomBytes(32)));

  it('is stable for the same parts and differs for another key', () => {
    expect(index.hash('email', 'a@example.com')).toBe(index.hash('email', 'a@example.com'));
    expect(blindIndex(createSecretKey(randomBytes(32))).hash('email', 'a@example.com')).not.toBe(
      index.hash('email', 'a@example.com'),
    );
  });

  it('distinguishes lists of parts that join to the same text', () => {
    const lists = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc'], ['2:ab', 'c'], ['ab1:c']];
    expect(new Set(lists.map((parts) => index.hash(...parts))).size).toBe(lists.length);
  });

  it('is 43 characters of base64url', () => {
    expect(index.hash('ü')).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
