import { createSecretKey, randomBytes } from 'node:crypto';
import { isMadeBy, makeToken, readClaim } from './link-token';

const key = createSecretKey(randomBytes(32));
const claim = { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5', keyId: '1' };

describe('the token of a results link', () => {
  it('contains its request and key id, and needs no escaping in a URL', () => {
    const token = makeToken(claim, key);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(readClaim(token)).toEqual(claim);
    expect(isMadeBy(key, token)).toBe(true);
  });

  it('is the same each time', () => {
    expect(makeToken(claim, key)).toBe(makeToken(claim, key));
  });

  it('does not verify with any byte altered, nor under another key', () => {
    const bytes = Buffer.from(makeToken(claim, key), 'base64url');
    for (const at of bytes.keys()) {
      const altered = Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))).toString('base64url');
      expect(isMadeBy(key, altered)).toBe(false);
    }
    expect(isMadeBy(createSecretKey(randomBytes(32)), makeToken(claim, key))).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['foreign characters', `${makeToken(claim, key)}%`],
    ['padding', `${makeToken(claim, key)}==`],
    ['a space inside', makeToken(claim, key).replace(/^./, (first) => `${first} `)],
    ['an HMAC alone', randomBytes(32).toString('base64url')],
    ['an empty part', Buffer.concat([Buffer.from('acme::1'), randomBytes(32)]).toString('base64url')],
    ['a part too few', Buffer.concat([Buffer.from('acme:1'), randomBytes(32)]).toString('base64url')],
    ['a part too many', Buffer.concat([Buffer.from('a:b:c:1'), randomBytes(32)]).toString('base64url')],
    [
      'more than 512 characters',
      Buffer.concat([Buffer.from(`${'a'.repeat(600)}:b:1`), randomBytes(32)]).toString('base64url'),
    ],
  ])('is invalid with %s', (_, token) => {
    expect(readClaim(token)).toBeUndefined();
  });

  it('is not made from ambiguous parts', () => {
    expect(() => makeToken({ ...claim, ws: 'a:b' }, key)).toThrow(TypeError);
    expect(() => makeToken({ ...claim, srid: '' }, key)).toThrow(TypeError);
  });
});
