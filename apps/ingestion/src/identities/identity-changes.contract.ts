import type { Identity } from '@opendsr-service/contracts';
import { Faults } from '@opendsr-service/storage/testing';
import { storesOn } from '../ingestion-stores.wiring';
import { identity, taken, World } from '../testing/world';
import { LOCK_LEASE_MS } from './identity-locks.store';

/** Changes of identities, for any store. */
export function identityChangesContract(mongodbUri?: string): void {
  const customer = (value: string) => identity('controller_customer_id', value);
  const email = (value: string) => identity('email', value);
  const device = (value: string) => identity('ios_advertising_id', value);

  let world: World;
  let ws = '';
  let n = 0;
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  beforeEach(() => {
    ws = `changes${++n}`;
  });
  afterAll(() => world.close());

  const mpidOf = async (...ranked: readonly Identity[]) => (await world.identify(ws, ...ranked)).mpid;
  const anonymous = async (...devices: readonly Identity[]) =>
    taken(await world.stores.subjects.identifyAnonymous(ws, devices, 'accept'));

  describe('changes of identities', () => {
    const modify = (mpid: string, ...changes: Parameters<typeof world.stores.subjects.modify>[2]) =>
      world.stores.subjects.modify(ws, mpid, changes, 'accept');

    it('add, replace and remove', async () => {
      const mpid = await mpidOf(customer('c'), email('old'));
      expect(
        await modify(mpid, { from: email('old'), to: email('new') }, { to: device('d') }, { from: customer('c') }),
      ).toBe('done');
      const found = await world.stores.subjects.search(ws, [email('new'), device('d')]);
      expect(found).toMatchObject({ mpid, ownedIdentities: [email('new'), device('d')] });
      expect(await world.stores.subjects.search(ws, [customer('c'), email('old')])).toBeUndefined();
      expect(await modify(mpid, { from: email('old'), to: email('new') })).toBe('done');
    });

    it('are all refused if one cannot be made', async () => {
      const mpid = await mpidOf(customer('c'));
      await mpidOf(email('theirs'));
      expect(await modify(mpid, { to: device('d') }, { to: email('theirs') }, { from: email('nobody') })).toEqual({
        refused: [
          { change: 1, reason: 'owned-by-another' },
          { change: 2, reason: 'not-owned' },
        ],
      });
      expect(await world.stores.subjects.search(ws, [device('d')])).toBeUndefined();
      expect(await modify('1', { to: device('d') })).toBe('unknown-profile');
    });

    it('give an identity to one of several concurrent callers', async () => {
      const mpids = await Promise.all(Array.from({ length: 10 }, (_, i) => mpidOf(customer(`c${i}`))));
      const outcomes = await Promise.all(mpids.map((mpid) => modify(mpid, { to: email('wanted') })));
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      expect(mpids.filter((_, i) => outcomes[i] === 'done')).toEqual([await mpidOf(email('wanted'))]);
    });

    it('remove a device from its anonymous owner', async () => {
      await mpidOf(email('e'), device('d'));
      const unknown = await anonymous(device('d'));
      expect(await modify(unknown.mpid, { from: device('d') })).toBe('done');
      expect(await world.stores.identities.findByProfiles(ws, [unknown.mpid])).toEqual([]);
    });

    it('lose nothing in a crash, and can be repeated', async () => {
      const { clock, connection, vault } = world.parts;
      const faults = new Faults();
      const dying = storesOn(faults.connection(connection), vault, clock, world.callRules).subjects;
      let crashes = 0;
      for (let write = 1; ; write += 1) {
        const change = { from: email(`old${write}`), to: email(`new${write}`) };
        const mpid = await mpidOf(change.from);
        faults.dieAt(write);
        await dying.modify(ws, mpid, [change], 'accept').catch(() => undefined);
        const survived = !faults.dead;
        faults.dieAt(Infinity);
        clock.advance(LOCK_LEASE_MS);
        expect((await world.stores.identities.findByProfiles(ws, [mpid])).length).toBeGreaterThan(0);
        expect(await modify(mpid, change)).toBe('done');
        expect(await world.stores.subjects.search(ws, [change.from])).toBeUndefined();
        expect(await world.stores.subjects.search(ws, [change.to])).toMatchObject({ mpid });
        if (survived) break;
        crashes += 1;
      }
      // Two locks, the new identity, the old one, two locks.
      expect(crashes).toBe(6);
    });
  });
}
