import type { Identity } from '@opendsr-service/contracts';
import { storesOn, type IngestionStores } from '../ingestion-stores.wiring';
import { identity, quietLog, taken, World } from '../testing/world';
import { IdentityLimit, ProfileFull } from './identity-limit';

/** The most identities of a profile, for any store. */
export function identityLimitContract(mongodbUri?: string): void {
  const MOST = 3;
  const customer = identity('controller_customer_id', 'shared');
  const email = (value: string) => identity('email', value);
  const device = (value: string) => identity('ios_advertising_id', value);

  let world: World;
  let stores: IngestionStores;
  let ws = '';
  let n = 0;
  const logged: object[] = [];
  const log = { ...quietLog, warn: (fields: object) => void logged.push(fields) };
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  beforeEach(() => {
    const { connection, vault, clock } = world.parts;
    logged.splice(0);
    stores = storesOn(connection, vault, clock, { ...world.callRules, identityLimit: new IdentityLimit(MOST, log) });
    ws = `limit${++n}`;
  });
  afterAll(() => world.close());

  const identify = async (...ranked: readonly Identity[]) =>
    taken(await stores.subjects.identify(ws, ranked, 'accept'));
  const typesOf = async (mpid: string) =>
    (await stores.identities.findByProfiles(ws, [mpid])).map(({ type }) => type).sort();

  describe('a profile with as many identities as it may have', () => {
    const full = async () => {
      for (const name of ['a', 'b']) await identify(customer, device(name));
      const { mpid } = await identify(customer);
      expect(await typesOf(mpid)).toHaveLength(MOST);
      return mpid;
    };

    it('takes no further device, and its calls are answered as before', async () => {
      const mpid = await full();
      const locking = jest.spyOn(stores.locks, 'acquire');
      for (const name of ['c', 'd', 'e'])
        expect(await identify(customer, device(name))).toMatchObject({ mpid, ownedIdentities: [customer] });
      expect(locking).not.toHaveBeenCalled();
      locking.mockRestore();
      expect(await typesOf(mpid)).toHaveLength(MOST);
      expect(logged).toEqual([{ count: 1 }, { count: 2 }]);
      expect((await identify(device('c'))).mpid).not.toBe(mpid);
    });

    it('takes as many devices of a call as it has room for', async () => {
      const { mpid } = await identify(customer, email('e'));
      const { ownedIdentities } = await identify(customer, device('a'), device('b'));
      expect(ownedIdentities).toEqual([customer, device('a')]);
      expect(await typesOf(mpid)).toHaveLength(MOST);
    });

    it('takes no further login identity: the call is refused, because requests by it would miss its data', async () => {
      const mpid = await full();
      await expect(identify(customer, email('e'), device('c'))).rejects.toThrow(ProfileFull);
      await expect(
        stores.subjects.resolveOwner(ws, { mpid, ranked: [customer, email('e')] }, 'accept'),
      ).rejects.toMatchObject({ status: 400 });
      expect(await typesOf(mpid)).toHaveLength(MOST);
      expect(await stores.subjects.search(ws, [email('e')])).toBeUndefined();
      expect((await identify(email('e'))).ownedIdentities).toEqual([email('e')]);
    });

    it('may have them replaced or removed, but none added', async () => {
      const mpid = await full();
      const modify = (...changes: Parameters<typeof stores.subjects.modify>[2]) =>
        stores.subjects.modify(ws, mpid, changes, 'accept');
      expect(await modify({ from: device('a'), to: email('e') })).toBe('done');
      expect(await modify({ from: email('gone'), to: email('e') }, { to: device('c') })).toEqual({
        refused: [{ change: 1, reason: 'too-many' }],
      });
      expect(await modify({ from: device('b') })).toBe('done');
      expect(await modify({ to: device('c') })).toBe('done');
      expect(await typesOf(mpid)).toEqual(['controller_customer_id', 'email', 'ios_advertising_id']);
    });
  });
}
