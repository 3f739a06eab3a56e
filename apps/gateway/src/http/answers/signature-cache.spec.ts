import { SignatureCache } from './signature-cache';

/** Signs with its name and the number of the signature, so that a second one of the same bytes shows. */
class CountingSigner {
  made = 0;
  isBroken = false;

  constructor(readonly fingerprint: string) {}

  sign(body: Buffer): Promise<string> {
    this.made++;
    return this.isBroken
      ? Promise.reject(new Error('planted'))
      : Promise.resolve(signature(`${this.fingerprint} ${body.toString()} ${this.made}`));
  }
}

const bytes = (text: string) => Buffer.from(text);
const signature = (text: string) => bytes(text).toString('base64');

it('signs the same bytes once for repeated and simultaneous reads', async () => {
  const [signatures, signer] = [new SignatureCache(10), new CountingSigner('a')];
  const read = () => signatures.sign(signer, bytes('pending'));
  expect(new Set([...(await Promise.all([read(), read(), read()])), await read()])).toEqual(
    new Set([signature('a pending 1')]),
  );
  expect(await signatures.sign(signer, bytes('completed'))).toBe(signature('a completed 2'));
  expect([await read(), signer.made]).toEqual([signature('a pending 1'), 2]);
});

it('signs the same bytes again under another certificate', async () => {
  const [signatures, before, after] = [new SignatureCache(10), new CountingSigner('a'), new CountingSigner('b')];
  expect([await signatures.sign(before, bytes('x')), await signatures.sign(after, bytes('x'))]).toEqual([
    signature('a x 1'),
    signature('b x 1'),
  ]);
});

it('keeps a limited number of signatures, and drops the least recently read', async () => {
  const [signatures, signer] = [new SignatureCache(2), new CountingSigner('a')];
  for (const text of ['x', 'y', 'x', 'z', 'x', 'y']) await signatures.sign(signer, bytes(text));
  expect(signer.made).toBe(4);
});

it('does not keep a failure', async () => {
  const [signatures, signer] = [new SignatureCache(2), new CountingSigner('a')];
  signer.isBroken = true;
  await expect(signatures.sign(signer, bytes('x'))).rejects.toThrow('planted');
  signer.isBroken = false;
  expect(await signatures.sign(signer, bytes('x'))).toBe(signature('a x 2'));
});

it('returns a kept signature byte for byte, for all byte values', async () => {
  const [signatures, signed] = [new SignatureCache(2), Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))];
  const signer = { fingerprint: 'a', sign: () => Promise.resolve(signed.toString('base64')) };
  const read = () => signatures.sign(signer, bytes('x'));
  expect([await read(), await read()]).toEqual([signed.toString('base64'), signed.toString('base64')]);
});
