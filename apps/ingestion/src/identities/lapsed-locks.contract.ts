import { IdentitiesStore } from './identities.store';
import { IdentityLocks } from './identity-locks.store';
import { Subjects } from './subjects.store';
import { ProfilesStore } from '../profiles/profiles.store';
import { until } from '@opendsr-service/messaging/testing';
import { identity, taken, World } from '../testing/world';

const LEASE_MS = 10_000;

/** Calls that faster calls overtook, for any store. */
export function lapsedLocksContract(mongodbUri?: string): void {
  const [customer, email, other] = [
    identity('controller_customer_id', 'c'),
    identity('email', 'e'),
    identity('other', 'o'),
  ];
  let world: World;
  let ws = '';
  let n = 0;
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  beforeEach(() => {
    ws = `lapsed${++n}`;
  });
  afterAll(() => world.close());

  /** Another process, with its own stores. */
  const processWith = (own: Partial<ConstructorParameters<typeof Subjects>[0]>) =>
    new Subjects({ ...world.stores, ...own }, world.parts.vault, world.parts.clock, world.afterErasure);
  const profilesIn = () => world.parts.connection.collection('profiles').countDocuments({ ws });

  it('leaves no lock behind where one of them cannot be stored', async () => {
    const locks = new IdentityLocks(world.parts.connection);
    const stored = world.parts.connection.collection('identityLocks');
    const insert = stored.insertOne.bind(stored);
    const inserting = jest.spyOn(stored, 'insertOne').mockImplementationOnce(insert);
    // Its answer is lost.
    inserting.mockImplementationOnce(async (...args) => {
      await insert(...args);
      throw new Error('planted');
    });
    const acquire = () => locks.acquire(ws, [`${ws}:a`, `${ws}:b`, `${ws}:c`], world.parts.clock.now());
    await expect(acquire()).rejects.toThrow('planted');
    inserting.mockRestore();
    expect(await acquire()).toBeDefined();
  });

  describe('a call that a faster call overtook', () => {
    it('creates no profile after its locks have expired, but uses that of the faster call', async () => {
      let theirs = '';
      class Slow extends IdentitiesStore {
        override async attach(...args: Parameters<IdentitiesStore['attach']>): Promise<boolean> {
          const isAttached = await super.attach(...args);
          if (theirs !== '') return isAttached;
          world.parts.clock.advance(LEASE_MS);
          theirs = (await world.identify(ws, customer, email)).mpid;
          return isAttached;
        }
      }
      const slow = taken(
        await processWith({ identities: new Slow(world.parts.connection) }).identify(ws, [customer, email], 'accept'),
      );
      expect([slow.mpid, await profilesIn()]).toEqual([theirs, 1]);
    });

    it('changes nothing after its locks have expired, but reads again', async () => {
      const { mpid } = await world.identify(ws, email);
      const { mpid: another } = await world.identify(ws, other);
      const change = (of: string, ...changes: Parameters<Subjects['modify']>[2]) =>
        world.stores.subjects.modify(ws, of, changes, 'accept');
      let isFirst = true;
      class Slow extends IdentitiesStore {
        override async find(...args: Parameters<IdentitiesStore['find']>): ReturnType<IdentitiesStore['find']> {
          const found = await super.find(...args);
          if (!isFirst) return found;
          isFirst = false;
          world.parts.clock.advance(LEASE_MS);
          expect([await change(mpid, { from: email }), await change(another, { to: email })]).toEqual(['done', 'done']);
          return found;
        }
      }
      const slow = processWith({ identities: new Slow(world.parts.connection) });
      const changes = [{ from: email }, { to: customer }];
      expect(await slow.modify(ws, mpid, changes, 'accept')).toEqual({ refused: [{ change: 0, reason: 'not-owned' }] });
      expect(await world.stores.subjects.search(ws, [customer])).toBeUndefined();
    });

    it('assigns no owner to identities that became free after its read, because another call may hold them', async () => {
      const { mpid: former } = await world.identify(ws, customer);
      let theirs: Promise<string> | undefined;
      class Waiting extends ProfilesStore {
        isReached = false;
        isOpen = false;
        override async create(...args: Parameters<ProfilesStore['create']>): ReturnType<ProfilesStore['create']> {
          this.isReached = true;
          await until(() => this.isOpen);
          return super.create(...args);
        }
      }
      const profiles = new Waiting(world.parts.connection);
      class Overtaken extends IdentityLocks {
        override async acquire(...args: Parameters<IdentityLocks['acquire']>): ReturnType<IdentityLocks['acquire']> {
          if (theirs) {
            profiles.isOpen = true;
            await theirs;
          } else {
            await world.stores.subjects.modify(ws, former, [{ from: customer }], 'accept');
            theirs = processWith({ profiles })
              .identify(ws, [customer], 'accept')
              .then((subject) => taken(subject).mpid);
            await until(() => profiles.isReached);
          }
          return super.acquire(...args);
        }
      }
      const mine = taken(
        await processWith({ locks: new Overtaken(world.parts.connection) }).identify(ws, [customer, email], 'accept'),
      );
      profiles.isOpen = true;
      expect([mine.mpid, await profilesIn()]).toEqual([await theirs, 2]);
    });
  });
}
