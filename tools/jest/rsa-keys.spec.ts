import { webcrypto } from 'node:crypto';

type Generate = (algorithm: object, extractable: boolean, usages: readonly string[]) => unknown;

const { sharedKeys } = jest.requireActual<{
  readonly sharedKeys: (generate: Generate) => { readonly generateKey: Generate; readonly startFile: () => void };
}>('./rsa-keys.cjs');

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

function planted() {
  let made = 0;
  const { generateKey, startFile } = sharedKeys(() => (made += 1));
  return { ask: (algorithm: object = RSA, usages = ['sign']) => generateKey(algorithm, true, usages), startFile };
}

it('gives a file no key twice, and the next file the same keys again', () => {
  const { ask, startFile } = planted();
  expect([ask(), ask()]).toEqual([1, 2]);
  startFile();
  expect([ask(), ask(), ask()]).toEqual([1, 2, 3]);
});

it('keeps keys of another size or use apart, and those that are no RSA keys not at all', () => {
  const { ask, startFile } = planted();
  expect([ask(), ask({ ...RSA, modulusLength: 1024 }), ask(RSA, ['verify'])]).toEqual([1, 2, 3]);
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const first = ask(curve);
  startFile();
  expect(ask(curve)).not.toBe(first);
});

it('is what specs get', async () => {
  const make = () => webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  const texts = await Promise.all(
    [make(), make()].map(async (pair) => {
      const { privateKey } = await pair;
      return Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
    }),
  );
  expect(new Set(texts).size).toBe(2);
});
