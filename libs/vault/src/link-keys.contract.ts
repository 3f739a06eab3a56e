import { createSecretKey, randomBytes } from 'node:crypto';
import { LinkKeys } from './link-keys';
import type { KeysDatabase } from './vault.contract';

const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';
const MINUTE_MS = 60_000;

/** Results links, for any database. `create` returns an empty one. */
export function linkKeysContract(name: string, create: () => KeysDatabase): void {
  describe(`the keys of results links on ${name}`, () => {
    const time = { now: Date.parse('2026-01-01T00:00:00Z') };
    const masterKey = createSecretKey(randomBytes(32));
    const done = new Date(time.now);
    let database: KeysDatabase;
    const process = async () => new LinkKeys(await database.open(), masterKey, () => time.now);

    beforeEach(() => {
      database = create();
    });
    afterEach(() => database.close());

    it('let concurrently started processes make and verify the same token', async () => {
      const links = await Promise.all(Array.from({ length: 6 }, () => process()));
      await Promise.all(links.map((link) => link.ready()));
      const tokens = await Promise.all(links.map((link) => link.tokenFor('acme', srid, done)));
      expect(new Set(tokens).size).toBe(1);
      for (const link of links) expect(await link.verifyToken(String(tokens[0]))).toEqual({ ws: 'acme', srid });
    });

    it('give each request its own token', async () => {
      const links = await process();
      await links.ready();
      const tokens = await Promise.all([
        links.tokenFor('acme', srid, done),
        links.tokenFor('other', srid, done),
        links.tokenFor('acme', srid.replace('4', '5'), done),
      ]);
      expect(new Set(tokens).size).toBe(3);
      const [mine = '', theirs = ''] = tokens.map((token) => Buffer.from(token, 'base64url').toString('latin1'));
      const forged = Buffer.from(theirs.slice(0, -32) + mine.slice(-32), 'latin1').toString('base64url');
      expect(await links.verifyToken(forged)).toBeUndefined();
    });

    it('verify no token of an unknown key, and no malformed one', async () => {
      const links = await process();
      await links.ready();
      const token = await links.tokenFor('acme', srid, done);
      const unknown = Buffer.from(
        Buffer.from(token, 'base64url').toString('latin1').replace(':1', ':7'),
        'latin1',
      ).toString('base64url');
      for (const other of ['', 'x', `${token}A`, token.slice(1), unknown])
        expect(await links.verifyToken(other)).toBeUndefined();
    });

    it('are rotated ahead: later completions get the new key, earlier ones keep their token, both verify everywhere', async () => {
      const [links, other] = [await process(), await process()];
      await links.ready();
      await other.ready();
      const before = await links.tokenFor('acme', srid, done);
      const from = new Date(time.now + 10 * MINUTE_MS);
      await links.rotate(from);
      time.now += MINUTE_MS;
      expect(await other.tokenFor('acme', srid, new Date(from.getTime() - 1))).toBe(before);
      const after = await other.tokenFor('acme', srid, from);
      expect(after).not.toBe(before);
      expect(await links.tokenFor('acme', srid, from)).toBe(after);
      for (const token of [before, after]) expect(await links.verifyToken(token)).toEqual({ ws: 'acme', srid });
    });

    it('cannot be rotated so late that another process could use the old one', async () => {
      const links = await process();
      await links.ready();
      await expect(links.rotate(new Date(time.now + 10 * MINUTE_MS - 1))).rejects.toThrow(RangeError);
    });

    it('open only under their master key', async () => {
      await (await process()).ready();
      const stranger = new LinkKeys(await database.open(), createSecretKey(randomBytes(32)), () => time.now);
      await expect(stranger.ready()).rejects.toMatchObject({ kind: 'master-key-wrong' });
    });
  });
}
