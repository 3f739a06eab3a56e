import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import { RevealsStore } from './reveals.store';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 21, 9);

/** Wishes to see identities, on every store. */
export function revealsContract(name: string, database: TestDatabase): void {
  describe(`wishes to see identities on ${name}`, () => {
    let reveals: RevealsStore;
    let now: number;
    beforeEach(async () => {
      const connection = await database.open();
      now = START_MS;
      reveals = new RevealsStore(connection, () => now);
      await connection.collection('reveals').deleteMany({});
      await ensureIndexes(connection);
    });
    afterAll(() => database.close());

    const add = (_id: string, ws = 'acme', askedBy = 'ann') =>
      reveals.add({
        ...{ _id, ws, srid: 's', askedBy, askedRole: 'officer', askedAt: new Date(now) },
        reason: { entryId: 'e', sealed: 'x' },
      });
    const ids = async (...[state, options]: Parameters<RevealsStore['list']>) =>
      (await reveals.list(state, options)).map(({ _id }) => _id);

    it('lists those of a state and of some workspaces, the earliest first, in pages', async () => {
      for (const [id, ws] of [
        ['b', 'acme'],
        ['a', 'acme'],
        ['c', 'other'],
      ])
        await add(id ?? '', ws);
      now += 1;
      await add('0');
      expect(await ids('open', { limit: 9 })).toEqual(['a', 'b', 'c', '0']);
      expect(await ids('open', { limit: 9, workspaces: ['other'] })).toEqual(['c']);
      expect(await ids('open', { limit: 2, after: { at: new Date(START_MS), id: 'a' } })).toEqual(['b', 'c']);
      expect(await ids('open', { limit: 9, after: { at: new Date(START_MS), id: 'c' } })).toEqual(['0']);
      expect(await ids('approved', { limit: 9 })).toEqual([]);
    });

    it('is approved once and used once', async () => {
      const wish = await add('a');
      expect(await reveals.use(wish)).toBe(false);
      expect([await reveals.approve(wish, 'bob'), await reveals.approve(wish, 'eve')]).toEqual([true, false]);
      expect(await reveals.ofAsker({ ws: 'acme', srid: 's', askedBy: 'ann' })).toMatchObject([
        { _id: 'a', state: 'approved', approvedBy: 'bob' },
      ]);
      expect(await reveals.ofAsker({ ws: 'acme', srid: 's', askedBy: 'bob' })).toEqual([]);
      expect([await reveals.use(wish), await reveals.use(wish)]).toEqual([true, false]);
      expect(await reveals.ofAsker({ ws: 'acme', srid: 's', askedBy: 'ann' })).toEqual([]);
      expect(await ids('used', { limit: 9 })).toEqual(['a']);
    });

    it('counts a day without an approval, and an hour with one', async () => {
      const [early, late] = [await add('a'), await add('b')];
      expect(await reveals.approve(early, 'bob')).toBe(true);
      now += HOUR_MS;
      expect([await reveals.find('a'), (await reveals.find('b'))?._id]).toEqual([undefined, 'b']);
      now += 23 * HOUR_MS;
      expect([await reveals.approve(late, 'bob'), await reveals.find('b')]).toEqual([false, undefined]);
      expect(await reveals.ofAsker({ ws: 'acme', srid: 's', askedBy: 'ann' })).toEqual([]);
      expect(await ids('open', { limit: 9 })).toEqual([]);
    });

    it('removes what no longer counts', async () => {
      await add('a');
      now += 24 * HOUR_MS;
      await add('b');
      await reveals.removeEnded();
      now = START_MS;
      expect(await ids('open', { limit: 9 })).toEqual(['b']);
    });
  });
}
