import { hmacOf, isSignature, isSignatureForm, isTimely } from './signature';

const now = new Date('2026-11-21T09:00:00Z');

describe('the signature of a call', () => {
  it('is the HMAC-SHA256 over method, date, path and body, one line each', () => {
    const head = { method: 'POST', date: '2026-11-21T09:00:00Z', path: '/v2/events' };
    // printf 'POST\n2026-11-21T09:00:00Z\n/v2/events{"a":1}' | openssl dgst -sha256 -hmac secret
    const given = '04512d89d47fafd0afb40a20bd601b808685caca9b78ab9a0729069b8699e38c';
    expect(isSignature(given, hmacOf('secret', head).update('{"a":1}'))).toBe(true);
    expect(isSignature(given, hmacOf('secret', head).update('{"a":2}'))).toBe(false);
  });

  it.each([
    ['a'.repeat(64), true],
    ['A'.repeat(64), false],
    ['a'.repeat(63), false],
    ['g'.repeat(64), false],
  ])('of the form %s: %s', (text, isOne) => {
    expect(isSignatureForm(text)).toBe(isOne);
  });

  it.each([
    ['Sat, 21 Nov 2026 09:15:00 GMT', true],
    ['Sat, 21 Nov 2026 08:45:00 GMT', true],
    ['Sat, 21 Nov 2026 09:15:01 GMT', false],
    ['Sat, 21 Nov 2026 08:44:59 GMT', false],
    ['2026-11-21T09:00:00.123Z', true],
    ['2026-11-21T10:00:00+01:00', true],
    ['2026-11-21T09:00:00', false],
    ['yesterday', false],
    ['soon Z', false],
    ['', false],
  ])('is timely by a Date of %s: %s', (date, timely) => {
    expect(isTimely(date, now, 900_000)).toBe(timely);
  });
});
