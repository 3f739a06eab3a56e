import { Faults } from '@opendsr-service/storage/testing';
import { foldTombstones, Vault } from '@opendsr-service/vault';
import { storesOn } from '../ingestion-stores.wiring';
import { ProfilesStore } from '../profiles/profiles.store';
import { identity, taken, World } from '../testing/world';
import { IdentitiesStore } from './identities.store';
import { LOCK_LEASE_MS } from './identity-locks.store';
import { Orphans } from './orphans';
import { Subjects } from './subjects.store';

/** Keys of identities without profile, for any store. */
export function orphansContract(mongodbUri?: string): void {
  const [customer, email, device] = [
    identity('controller_customer_id', 'c'),
    identity('email', 'e'),
    identity('ios_advertising_id', 'd'),
  ];
  let world: World;
  let ws = '';
  let n = 0;
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  beforeEach(() => {
    ws = `orphans${++n}`;
  });
  afterAll(() => world.close());

  const processWith = (own: Partial<ConstructorParameters<typeof Subjects>[0]>) =>
    new Subjects({ ...world.stores, ...own }, world.parts.vault, world.parts.clock, world.afterErasure);
  const identities = () => world.parts.connection.collection('identities').find({ ws }).toArray();
  const isAlive = async (kid: unknown) => (await world.parts.vault.key(ws, String(kid))) !== undefined;

  class Dying extends ProfilesStore {
    override create(): ReturnType<ProfilesStore['create']> {
      return Promise.reject(new Error('planted crash'));
    }
  }
  /** Leaves both identities without profile; returns their key. */
  const orphaned = async () => {
    await expect(
      processWith({ profiles: new Dying(world.parts.connection) }).identify(ws, [customer, email], 'accept'),
    ).rejects.toThrow('planted crash');
    const [first, second] = (await identities()).filter(({ type }) => type !== device.type);
    expect([first?.['kid'] === second?.['kid'], await isAlive(first?.['kid'])]).toEqual([true, true]);
    return first?.['kid'] as unknown;
  };

  describe('a key that only orphans lead to', () => {
    it('is destroyed when one of them gets a new owner, which frees the others', async () => {
      const kid = await orphaned();
      const { mpid, key } = await world.identify(ws, email);
      expect([
        await isAlive(kid),
        await isAlive(key.kid),
        (await identities()).map((own) => String(own['mpid'])),
      ]).toEqual([false, true, [mpid]]);
    });

    it('is destroyed when one of them is added to a profile', async () => {
      const { mpid } = await world.identify(ws, device);
      const kid = await orphaned();
      expect(await world.stores.subjects.modify(ws, mpid, [{ to: email }], 'accept')).toBe('done');
      expect([await isAlive(kid), await isAlive((await world.identify(ws, email)).key.kid)]).toEqual([false, true]);
    });

    it('is destroyed when a call withdraws its identities because another one was faster', async () => {
      const { mpid: other } = await world.identify(ws, device);
      const kids: string[] = [];
      class Disputed extends IdentitiesStore {
        override async attach(own: Parameters<IdentitiesStore['attach']>[0]): Promise<boolean> {
          const [first, second] = own;
          if (first && second) {
            kids.push(first.kid);
            await super.attach([{ ...second, mpid: other }]);
          }
          return super.attach(own);
        }
      }
      const disputed = processWith({ identities: new Disputed(world.parts.connection) });
      expect(await disputed.identify(ws, [customer, email], 'accept')).toMatchObject({ mpid: other });
      expect(kids).toHaveLength(1);
      expect(await isAlive(kids[0])).toBe(false);
    });

    it('is gone with them at the next start or call, at whichever write its process died', async () => {
      const { clock, connection, events, masterKey, storage, vault } = world.parts;
      const faults = new Faults();
      const publish: typeof events.publisher.publish = async (...args) => {
        faults.write();
        await events.publisher.publish(...args);
      };
      const dyingVault = new Vault(faults.connection(await storage.database('keys')), masterKey, () => +clock.now(), {
        tombstones: { available: true, publish },
      });
      const dying = new Orphans(storesOn(faults.connection(connection), vault, clock, world.callRules), dyingVault);
      const start = async () => {
        await vault.foldTombstones(events);
        await foldTombstones(events, { connection, key: vault.tombstoneKey }, (tombstones) =>
          world.stores.removal.replay(tombstones),
        );
      };
      const profiles = async () =>
        (await connection.collection('profiles').find({ ws }).toArray()).map(({ mpid }) => mpid as unknown);
      let crashes = 0;
      for (let write = 1; ; write += 1) {
        ws = `orphans${n}-crash${write}`;
        const kid = await orphaned();
        const left = await identities();
        faults.dieAt(write);
        await dying.release(ws, left as never).catch(() => undefined);
        const survived = !faults.dead;
        faults.dieAt(Infinity);
        await start();
        // Before its tombstone stands, a start does not know of it.
        if (write > 2)
          expect({ write, left: [...(await profiles()), ...(await identities())] }).toEqual({ write, left: [] });
        const { mpid } = await world.identify(ws, email);
        expect([await profiles(), await isAlive(kid)]).toEqual([[mpid], false]);
        if (survived) break;
        crashes += 1;
      }
      // The profile is precluded, tombstone, key, identities, what precluded the profile.
      expect(crashes).toBe(5);
    });

    it('stays with them while the event log takes no tombstone', async () => {
      const kid = await orphaned();
      world.publisher.away = true;
      await expect(world.stores.subjects.identify(ws, [email], 'accept')).rejects.toThrow('away');
      world.publisher.away = false;
      expect([await isAlive(kid), (await identities()).map((own) => own['kid'] === kid)]).toEqual([true, [true, true]]);
      world.parts.clock.advance(LOCK_LEASE_MS);
      await world.identify(ws, email);
      expect(await isAlive(kid)).toBe(false);
    });

    it('is kept if a profile has it, even if a device gets another owner', async () => {
      await world.identify(ws, email, device);
      const unknown = taken(await world.stores.subjects.identifyAnonymous(ws, [device], 'accept'));
      await world.stores.subjects.modify(ws, unknown.mpid, [{ to: customer }], 'accept');
      const next = taken(await world.stores.subjects.identifyAnonymous(ws, [device], 'accept'));
      expect([next.mpid === unknown.mpid, await isAlive(unknown.key.kid)]).toEqual([false, true]);
      expect(await world.stores.subjects.search(ws, [customer])).toMatchObject({ mpid: unknown.mpid });
    });
  });
}
