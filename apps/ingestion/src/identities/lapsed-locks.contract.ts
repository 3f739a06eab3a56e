import { IdentitiesStore } from './identities.store';
import { IdentityLocks, LOCK_LEASE_MS } from './identity-locks.store';
import { Subjects } from './subjects.store';
import { ProfilesStore } from '../profiles/profiles.store';
import { until } from '@opendsr-service/messaging/testing';
import { identity, taken, World } from '../testing/world';

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

  it('gives locks to no process whose clock is almost ten seconds ahead of that of the holder', async () => {
    const { locks } = world.stores;
    const acquire = (now: Date) => locks.acquire(ws, [`${ws}:a`], now);
    const held = await acquire(world.parts.clock.now());
    const until = held?.until.getTime() ?? NaN;
    expect(await acquire(new Date(until + 9_999))).toBeUndefined();
    expect(await acquire(new Date(until + 10_000))).toBeDefined();
  });

  describe('a call that a faster call overtook', () => {
    it('creates no profile after its locks have expired, but uses that of the faster call', async () => {
      let theirs = '';
      class Slow extends IdentitiesStore {
        override async attach(...args: Parameters<IdentitiesStore['attach']>): Promise<boolean> {
          const isAttached = await super.attach(...args);
          if (theirs !== '') return isAttached;
          world.parts.clock.advance(LOCK_LEASE_MS);
          theirs = (await world.identify(ws, customer, email)).mpid;
          return isAttached;
        }
      }
      const slow = taken(
        await processWith({ identities: new Slow(world.parts.connection) }).identify(ws, [customer, email], 'accept'),
      );
      expect([slow.mpid, await profilesIn()]).toEqual([theirs, 1]);
    });

    it('answers with the profile of the faster call, where its own is created late', async () => {
      let theirs = '';
      class Slow extends ProfilesStore {
        override async create(...args: Parameters<ProfilesStore['create']>): ReturnType<ProfilesStore['create']> {
          world.parts.clock.advance(LOCK_LEASE_MS);
          theirs = (await world.identify(ws, customer)).mpid;
          return super.create(...args);
        }
      }
      const slow = processWith({ profiles: new Slow(world.parts.connection) });
      expect(taken(await slow.identify(ws, [customer, email], 'accept')).mpid).toBe(theirs);
      expect(taken(await world.stores.subjects.search(ws, [email])).mpid).toBe(theirs);
      expect(await profilesIn()).toBe(1);
    });

    it.each(['before', 'after'] as const)(
      'has the same answer, where its profile comes just %s the faster call takes its identities',
      async (when) => {
        class Waiting extends ProfilesStore {
          readonly created: (boolean | undefined)[] = [];
          isOpen = false;
          override async create(...args: Parameters<ProfilesStore['create']>): ReturnType<ProfilesStore['create']> {
            const n = this.created.push(undefined);
            await until(() => this.isOpen);
            return (this.created[n - 1] = await super.create(...args));
          }
        }
        const profiles = new Waiting(world.parts.connection);
        const slow = processWith({ profiles }).identify(ws, [customer, email], 'accept');
        await until(() => profiles.created.length === 1);
        const createTheirs = async () => {
          profiles.isOpen = true;
          await until(() => profiles.created[0] !== undefined);
        };
        class Fast extends ProfilesStore {
          override async preclude(...args: Parameters<ProfilesStore['preclude']>): Promise<boolean> {
            if (when === 'before') await createTheirs();
            const isPrecluded = await super.preclude(...args);
            if (when === 'after') await createTheirs();
            return isPrecluded;
          }
        }
        world.parts.clock.advance(LOCK_LEASE_MS);
        const fast = processWith({ profiles: new Fast(world.parts.connection) });
        const { mpid } = taken(await fast.identify(ws, [customer, email], 'accept'));
        expect([taken(await slow).mpid, await profilesIn()]).toEqual([mpid, 1]);
        expect(profiles.created[0]).toBe(when === 'before');
        expect(taken(await world.stores.subjects.findByMpid(ws, mpid)).mpid).toBe(mpid);
      },
    );

    it('joins no profile that another person has joined meanwhile', async () => {
      const device = identity('ios_advertising_id', 'd');
      const { mpid } = await world.identify(ws, device);
      let theirs = '';
      class Slow extends IdentitiesStore {
        override async attach(...args: Parameters<IdentitiesStore['attach']>): Promise<boolean> {
          if (theirs !== '') return super.attach(...args);
          world.parts.clock.advance(LOCK_LEASE_MS);
          theirs = (await world.identify(ws, identity('controller_customer_id', 'theirs'), device)).mpid;
          return super.attach(...args);
        }
      }
      const slow = processWith({ identities: new Slow(world.parts.connection) });
      const mine = taken(await slow.identify(ws, [customer, device], 'accept'));
      expect([theirs === mpid, mine.mpid === mpid]).toEqual([true, false]);
      expect(await world.stores.identities.findByProfile(ws, mpid)).toHaveLength(2);
    });

    it.each(['identify', 'modify'] as const)(
      'attaches nothing late in `%s` after it waited for the event log',
      async (call) => {
        const { connection, clock } = world.parts;
        const orphaned = (await world.identify(ws, email)).mpid;
        await world.stores.profiles.removeData(ws, orphaned);
        const { mpid } = await world.identify(ws, other);
        class Slow extends ProfilesStore {
          override async preclude(...args: Parameters<ProfilesStore['preclude']>): Promise<boolean> {
            const isPrecluded = await super.preclude(...args);
            clock.advance(LOCK_LEASE_MS);
            return isPrecluded;
          }
        }
        let late = 0;
        const startedAt = clock.now();
        class Watched extends IdentitiesStore {
          override attach(...args: Parameters<IdentitiesStore['attach']>): Promise<boolean> {
            if (clock.now() > startedAt) late += 1;
            return super.attach(...args);
          }
        }
        const slow = processWith({ profiles: new Slow(connection), identities: new Watched(connection) });
        // The second try has no orphan left.
        if (call === 'modify') expect(await slow.modify(ws, mpid, [{ to: email }], 'accept')).toBe('done');
        else expect(taken(await slow.identify(ws, [email, other], 'accept')).mpid).toBe(mpid);
        expect(late).toBe(1);
      },
    );

    it.each(['find', 'attach'] as const)(
      'changes nothing after its locks have expired in `%s`, but reads again',
      async (slowIn) => {
        const { mpid } = await world.identify(ws, email);
        const { mpid: another } = await world.identify(ws, other);
        const change = (of: string, ...changes: Parameters<Subjects['modify']>[2]) =>
          world.stores.subjects.modify(ws, of, changes, 'accept');
        let isFirst = true;
        const overtake = async (place: typeof slowIn) => {
          if (place !== slowIn || !isFirst) return;
          isFirst = false;
          world.parts.clock.advance(LOCK_LEASE_MS);
          expect([await change(mpid, { from: email }), await change(another, { to: email })]).toEqual(['done', 'done']);
        };
        class Slow extends IdentitiesStore {
          override async find(...args: Parameters<IdentitiesStore['find']>): ReturnType<IdentitiesStore['find']> {
            const found = await super.find(...args);
            await overtake('find');
            return found;
          }
          override async attach(...args: Parameters<IdentitiesStore['attach']>): Promise<boolean> {
            await overtake('attach');
            return super.attach(...args);
          }
        }
        const slow = processWith({ identities: new Slow(world.parts.connection) });
        const changes = [{ from: email }, { to: customer }];
        expect(await slow.modify(ws, mpid, changes, 'accept')).toEqual({
          refused: [{ change: 0, reason: 'not-owned' }],
        });
        expect(await world.stores.subjects.search(ws, [customer])).toBeUndefined();
      },
    );

    it('withdraws nothing that a faster call has attached to the same profile', async () => {
      const { mpid } = await world.identify(ws, email);
      let isFirst = true;
      class Slow extends IdentitiesStore {
        override async attach(...args: Parameters<IdentitiesStore['attach']>): Promise<boolean> {
          if (!isFirst) return super.attach(...args);
          isFirst = false;
          world.parts.clock.advance(LOCK_LEASE_MS);
          expect(await world.stores.subjects.modify(ws, mpid, [{ to: customer }], 'accept')).toBe('done');
          return super.attach(...args);
        }
        override async detach(...args: Parameters<IdentitiesStore['detach']>): Promise<void> {
          await super.detach(...args);
          expect(await world.stores.subjects.search(ws, [customer])).toMatchObject({ mpid });
        }
      }
      const slow = processWith({ identities: new Slow(world.parts.connection) });
      expect(await slow.modify(ws, mpid, [{ to: customer }], 'accept')).toBe('done');
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
