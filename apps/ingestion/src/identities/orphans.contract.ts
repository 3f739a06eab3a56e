import { ProfilesStore } from '../profiles/profiles.store';
import { identity, taken, World } from '../testing/world';
import { IdentitiesStore } from './identities.store';
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

    it('stays with them while the event log takes no tombstone', async () => {
      const kid = await orphaned();
      world.publisher.away = true;
      await expect(world.stores.subjects.identify(ws, [email], 'accept')).rejects.toThrow('away');
      world.publisher.away = false;
      expect([await isAlive(kid), (await identities()).map((own) => own['kid'] === kid)]).toEqual([true, [true, true]]);
      world.parts.clock.advance(10_000);
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
