import { createSecretKey, randomBytes } from 'node:crypto';
import { dataKey } from './data-key';
import { VaultError } from './vault-error';

const place = { ws: 'acme', subject: '475974fa-6b42-4370-bb56-b5d845686bb5', field: 'identities' };
const newKey = (kid = 'k1') => dataKey(kid, createSecretKey(randomBytes(32)));

describe('the seal of a data key', () => {
  it('opens to the bytes that were sealed, text or binary, empty or not', () => {
    const key = newKey();
    for (const plaintext of ['', 'Zoë 💌', Buffer.from([0, 255, 10])]) {
      expect(key.open(place, key.seal(place, plaintext))).toEqual(Buffer.from(plaintext));
    }
  });

  it('differs each time and contains no plaintext', () => {
    const key = newKey();
    const seals = [key.seal(place, 'planted-value'), key.seal(place, 'planted-value')];
    expect(seals[0]).not.toBe(seals[1]);
    expect(Buffer.from(String(seals[0]), 'base64').includes('planted-value')).toBe(false);
  });

  it.each([
    ['workspace', { ...place, ws: 'other' }],
    ['subject', { ...place, subject: 'other' }],
    ['field', { ...place, field: 'extensions' }],
  ])('does not open in another %s', (_, elsewhere) => {
    const key = newKey();
    expect(() => key.open(elsewhere, key.seal(place, 'planted-value'))).toThrow(
      expect.objectContaining({ kind: 'seal-broken' }) as VaultError,
    );
  });

  it('does not open under another key id, nor under another key', () => {
    const material = createSecretKey(randomBytes(32));
    const sealed = dataKey('k1', material).seal(place, 'planted-value');
    expect(() => dataKey('k2', material).open(place, sealed)).toThrow(VaultError);
    expect(() => newKey('k1').open(place, sealed)).toThrow(VaultError);
  });

  it('does not open with any byte altered, cut off or missing, and the error reveals no content', () => {
    const key = newKey();
    const bytes = Buffer.from(key.seal(place, 'planted-value'), 'base64');
    const broken = [...bytes.keys()].map((at) => Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))));
    for (const altered of [...broken, bytes.subarray(0, -1), bytes.subarray(0, 27), Buffer.alloc(0)]) {
      const sealed = altered.toString('base64');
      const open = () => key.open(place, sealed);
      expect(open).toThrow(VaultError);
      expect(open).toThrow(/^the seal of field identities does not open with key k1$/);
    }
  });

  it('refuses a context with a separator in a part', () => {
    expect(() => newKey().seal({ ...place, ws: 'acme|x' }, '')).toThrow(TypeError);
    expect(() => newKey().seal({ ...place, subject: 'a|b' }, '')).toThrow(TypeError);
    expect(() => newKey().seal({ ...place, field: 'a|b' }, '')).toThrow(TypeError);
  });
});
