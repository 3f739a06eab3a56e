import { createSecretKey, randomBytes } from 'node:crypto';
import { MasterSeal } from './master-seal';

const masterKey = createSecretKey(randomBytes(32));
const seal = new MasterSeal(masterKey);

describe('the seal of the master key', () => {
  it('opens in every process that has the same master key', () => {
    for (const text of ['', 'dsrp_Zoë'])
      expect(new MasterSeal(masterKey).open('participant|acme|crm', seal.seal('participant|acme|crm', text))).toBe(
        text,
      );
  });

  it('differs each time and contains no plaintext', () => {
    const seals = [seal.seal('p', 'planted-value'), seal.seal('p', 'planted-value')];
    expect(seals[0]).not.toBe(seals[1]);
    expect(Buffer.from(String(seals[0]?.split('.')[1]), 'base64').includes('planted-value')).toBe(false);
  });

  it('opens only for its purpose, and with no byte altered', () => {
    const sealed = seal.seal('participant|acme|crm', 'planted-value');
    const [by, body = ''] = sealed.split('.');
    const altered = Buffer.from(body, 'base64').map((byte, at) => (at === 20 ? byte ^ 1 : byte));
    const attempts = [
      ['participant|acme|erp', sealed],
      ['participant|acme|crm', `${by}.${Buffer.from(altered).toString('base64')}`],
      ['participant|acme|crm', `${by}.`],
    ] as const;
    for (const [purpose, text] of attempts)
      expect(() => seal.open(purpose, text)).toThrow(expect.objectContaining({ kind: 'seal-broken' }) as Error);
  });

  it('reports a different master key', () => {
    const stranger = new MasterSeal(createSecretKey(randomBytes(32)));
    for (const sealed of [stranger.seal('p', 'x'), '', 'plain'])
      expect(() => seal.open('p', sealed)).toThrow(expect.objectContaining({ kind: 'master-key-wrong' }) as Error);
  });

  it('derives the same key for the same purpose everywhere, and another for each purpose and master key', () => {
    const keys = [seal.derive('a'), seal.derive('b'), new MasterSeal(createSecretKey(randomBytes(32))).derive('a')].map(
      (key) => key.export().toString('hex'),
    );
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toHaveLength(64);
    expect(new MasterSeal(masterKey).derive('a').equals(seal.derive('a'))).toBe(true);
  });
});
