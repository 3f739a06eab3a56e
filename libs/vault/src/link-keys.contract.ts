import { createSecretKey, randomBytes } from 'node:crypto';
import { LinkKeys } from './link-keys';
import type { KeysDatabase } from './vault.contract';

const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';

/** Results links, for any database. `create` returns an empty one. */
export function linkKeysContract(name: string, create: () => KeysDatabase): void {
  describe(`the keys of results links on ${name}`, () => {
    const masterKey = createSecretKey(randomBytes(32));
    let database: KeysDatabase;
    const process = async () => new LinkKeys(await database.open(), masterKey, () => 0);

    beforeEach(() => {
      database = create();
    });
    afterEach(() => database.close());

    it('let concurrently started processes make and verify the same token', async () => {
      const links = await Promise.all(Array.from({ length: 6 }, () => process()));
      await Promise.all(links.map((link) => link.ready()));
      const tokens = links.map((link) => link.tokenFor('acme', srid));
      expect(new Set(tokens).size).toBe(1);
      for (const link of links) expect(link.verifyToken(String(tokens[0]))).toEqual({ ws: 'acme', srid });
    });

    it('give each request its own token', async () => {
      const links = await process();
      await links.ready();
      const tokens = [
        links.tokenFor('acme', srid),
        links.tokenFor('other', srid),
        links.tokenFor('acme', srid.replace('4', '5')),
      ];
      expect(new Set(tokens).size).toBe(3);
      const [mine = '', theirs = ''] = tokens.map((token) => Buffer.from(token, 'base64url').toString('latin1'));
      const forged = Buffer.from(theirs.slice(0, -32) + mine.slice(-32), 'latin1').toString('base64url');
      expect(links.verifyToken(forged)).toBeUndefined();
    });

    it('verify no token of an unknown key, and no malformed one', async () => {
      const links = await process();
      await links.ready();
      const token = links.tokenFor('acme', srid);
      const unknown = Buffer.from(
        Buffer.from(token, 'base64url').toString('latin1').replace(':1', ':7'),
        'latin1',
      ).toString('base64url');
      for (const other of ['', 'x', `${token}A`, token.slice(1), unknown])
        expect(links.verifyToken(other)).toBeUndefined();
    });

    it('open only under their master key', async () => {
      await (await process()).ready();
      const stranger = new LinkKeys(await database.open(), createSecretKey(randomBytes(32)), () => 0);
      await expect(stranger.ready()).rejects.toMatchObject({ kind: 'master-key-wrong' });
    });
  });
}
