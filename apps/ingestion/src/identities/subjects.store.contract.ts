import { Faults } from '@opendsr-service/storage/testing';
import { storesOn } from '../ingestion-stores.wiring';
import { ProfilesStore } from '../profiles/profiles.store';
import { identity, taken, World } from '../testing/world';
import { IdentitiesStore } from './identities.store';
import { LOCK_LEASE_MS } from './identity-locks.store';
import { Subjects } from './subjects.store';

/** Owners of identities, for any store: embedded, or MongoDB at an address. */
export function subjectsContract(mongodbUri?: string): void {
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
    ws = `ws${++n}`;
  });
  afterAll(() => world.close());

  type Ranked = Parameters<typeof world.stores.subjects.identify>[1];
  const mpidOf = async (...ranked: Ranked) => (await world.identify(ws, ...ranked)).mpid;
  const anonymous = async (...devices: Ranked) =>
    taken(await world.stores.subjects.identifyAnonymous(ws, devices, 'accept'));
  const profilesIn = (of: string) => world.parts.connection.collection('profiles').find({ ws: of }).toArray();
  const locksLeft = () => world.parts.connection.collection('identityLocks').find({}).toArray();

  describe('the owner of identities', () => {
    it('is assigned once by a thousand concurrent calls for a new data subject', async () => {
      const mpids = await Promise.all(Array.from({ length: 1_000 }, () => mpidOf(customer('c'), email('e'))));
      expect(new Set(mpids).size).toBe(1);
      const owned = await world.stores.identities.findByProfiles(ws, [mpids[0] ?? '']);
      expect(owned.map(({ type }) => type).sort()).toEqual(['controller_customer_id', 'email']);
      expect(await profilesIn(ws)).toHaveLength(1);
    });

    it('is assigned once by concurrent processes', async () => {
      const { connection, vault, clock } = world.parts;
      const processes = Array.from({ length: 20 }, () => storesOn(connection, vault, clock, world.callRules).subjects);
      const subjects = await Promise.all(
        processes.map((process) => process.identify(ws, [customer('c'), email('e')], 'accept')),
      );
      expect(new Set(subjects.map((subject) => taken(subject).mpid)).size).toBe(1);
      expect(await profilesIn(ws)).toHaveLength(1);
    });

    it('is assigned once by calls that name a new data subject by different identities', async () => {
      const warm = await mpidOf(identity('other', 'somebody else'));
      for (let round = 0; round < 5; round += 1) {
        const [c, e, d] = [customer(`c${round}`), email(`e${round}`), device(`d${round}`)];
        const ways = [[c, e], [e], [e, d], [c, e, d]];
        const mpids = await Promise.all(Array.from({ length: 40 }, (_, i) => mpidOf(...(ways[i % ways.length] ?? []))));
        expect(new Set(mpids).size).toBe(1);
        expect(mpids[0]).not.toBe(warm);
      }
    });

    it('never changes once a call was answered', async () => {
      const ways = [
        [customer('c'), email('e')],
        [email('e'), device('d')],
        [customer('c'), device('d')],
      ];
      const answers = await Promise.all(
        Array.from({ length: 60 }, async (_, i) => {
          const subject = await world.identify(ws, ...(ways[i % ways.length] ?? []));
          return subject.ownedIdentities.map((own) => `${own.type} ${subject.mpid}`);
        }),
      );
      const owners = new Map<string, Set<string>>();
      for (const [type = '', mpid = ''] of answers.flat().map((line) => line.split(' ')))
        owners.set(type, (owners.get(type) ?? new Set()).add(mpid));
      expect([...owners.values()].map(({ size }) => size)).toEqual([...owners.values()].map(() => 1));
    });

    it('has a signed 64-bit integer as a decimal string', async () => {
      const mpid = await mpidOf(customer('c'));
      expect(BigInt.asIntN(64, BigInt(mpid)).toString()).toBe(mpid);
    });

    it('is that of the highest-ranking known one, which gets those without owner', async () => {
      const first = await mpidOf(customer('c'));
      const second = await mpidOf(email('e'));
      const subject = await world.identify(ws, customer('c'), email('e'), device('d'));
      expect(subject.mpid).toBe(first);
      expect(subject.ownedIdentities).toEqual([customer('c'), device('d')]);
      expect(await mpidOf(email('e'))).toBe(second);
      expect(await mpidOf(device('d'))).toBe(first);
    });

    it('is that of a known one of low rank if the higher ones are new', async () => {
      const known = await mpidOf(device('d'));
      expect(await mpidOf(email('e'), device('d'))).toBe(known);
      expect(await mpidOf(customer('c'), email('e'))).toBe(known);
      expect(await mpidOf(customer('c'))).toBe(known);
    });

    it('is another one for a second login on a device, so that neither login leads to the data of both', async () => {
      const first = await mpidOf(customer('a'), device('d'));
      const second = await world.identify(ws, customer('b'), device('d'));
      expect(second.mpid).not.toBe(first);
      expect(second.ownedIdentities).toEqual([customer('b')]);
      expect([await mpidOf(customer('b'), device('d')), await mpidOf(device('d'))]).toEqual([second.mpid, first]);
      expect([await mpidOf(email('e'), device('d')), await mpidOf(customer('a'), device('d'))]).toEqual([
        expect.not.stringMatching(`^(${first}|${second.mpid})$`),
        first,
      ]);
    });

    it('is another one for a second customer id with an e-mail address of the first, or a phone number', async () => {
      const phone = identity('mobile_number', '1');
      const first = await mpidOf(customer('a'), email('family'), phone);
      const second = await world.identify(ws, customer('b'), email('family'), phone);
      expect([second.ownedIdentities, second.mpid === first]).toEqual([[customer('b')], false]);
      const third = await world.identify(ws, email('own'), phone);
      expect([third.ownedIdentities, third.mpid === first]).toEqual([[email('own')], false]);
      expect(await mpidOf(customer('a'), email('family'), phone)).toBe(first);
    });

    it('is the next known one that contradicts nothing, else a new one', async () => {
      const [a, alone] = [await mpidOf(customer('a'), email('e')), await mpidOf(device('alone'))];
      expect(await mpidOf(customer('b'), email('e'), device('alone'))).toBe(alone);
      expect(await mpidOf(customer('c'), email('e'), device('alone'))).not.toBe(alone);
      expect(await mpidOf(identity('other', 'o'), email('e'))).toBe(a);
    });

    it('is the known one of low rank for one alone of several logins at the same time', async () => {
      const known = await mpidOf(device('d'));
      const ways = Array.from({ length: 20 }, (_, i) => [i % 2 ? customer(`c${i}`) : email(`e${i}`), device('d')]);
      const mpids = await Promise.all(ways.map((way) => mpidOf(...way)));
      expect([mpids.filter((mpid) => mpid === known).length, new Set(mpids).size]).toEqual([1, 20]);
    });

    it('differs from workspace to workspace', async () => {
      const here = await mpidOf(customer('c'));
      ws = `${ws}-other`;
      expect(await mpidOf(customer('c'))).not.toBe(here);
    });

    it('is assigned again after the erasure of the profile, even if the erasure is not finished', async () => {
      const before = await world.identify(ws, customer('c'), email('e'));
      await world.stores.profiles.removeData(ws, before.mpid);
      await world.parts.vault.destroy(ws, before.key.kid, 'subject');
      const after = await world.identify(ws, customer('c'), email('e'));
      expect(after.mpid).not.toBe(before.mpid);
      expect(after.ownedIdentities).toEqual([customer('c'), email('e')]);
    });

    it('is assigned after a crash at any of the writes, which leaves no unreachable profile', async () => {
      const { clock, connection, vault } = world.parts;
      const faults = new Faults();
      let crashes = 0;
      for (let write = 1; ; write += 1) {
        ws = `ws${n}-crash${write}`;
        const dying = storesOn(faults.connection(connection), vault, clock, world.callRules).subjects;
        faults.dieAt(write);
        await dying.identify(ws, [customer('c'), email('e')], 'accept').catch(() => undefined);
        const survived = !faults.dead;
        faults.dieAt(Infinity);
        clock.advance(LOCK_LEASE_MS);
        const left = await connection.collection('identities').find({ ws }).toArray();
        const { mpid, key, ownedIdentities } = await world.identify(ws, email('e'), customer('c'));
        expect(ownedIdentities).toHaveLength(2);
        const keysLeft = await Promise.all(
          left.map(async ({ kid }) => (kid === key.kid ? undefined : vault.key(ws, String(kid)))),
        );
        expect({ write, keysLeft: keysLeft.filter(Boolean) }).toEqual({ write, keysLeft: [] });
        expect((await profilesIn(ws)).map((profile) => String(profile['mpid']))).toEqual([mpid]);
        if (survived) break;
        crashes += 1;
      }
      // Two locks, the identities, the profile, two locks.
      expect(crashes).toBe(6);
    });

    it('leaves no expired locks', async () => {
      const { clock } = world.parts;
      await world.stores.locks.acquire(ws, [`${ws}:a`, `${ws}:b`], clock.now());
      clock.advance(LOCK_LEASE_MS - 1);
      await world.stores.locks.acquire(ws, [`${ws}:c`], clock.now());
      clock.advance(1);
      await world.stores.locks.sweep(clock.now(), 100);
      expect((await locksLeft()).map(({ _id }) => String(_id))).toEqual([`${ws}:c`]);
      clock.advance(LOCK_LEASE_MS);
      expect(await world.stores.locks.sweep(clock.now(), 100)).toBe(1);
      expect(await world.stores.locks.sweep(clock.now(), 100)).toBe(0);
    });
  });

  describe('a call with an mpid', () => {
    const ownerOf = async (mpid: string, ...ranked: Ranked) =>
      taken(await world.stores.subjects.resolveOwner(ws, { mpid, ranked }, 'accept'));

    it('belongs to the owner of its login identities, as an SDK may remember the mpid of the last user', async () => {
      const [last, now] = [await mpidOf(customer('a'), email('a')), await mpidOf(email('b'))];
      expect((await ownerOf(last, email('b'))).mpid).toBe(now);
      expect((await ownerOf(last, email('b'), device('d'))).ownedIdentities).toEqual([email('b'), device('d')]);
      expect((await ownerOf(last, device('d'))).mpid).toBe(last);
    });

    it('adds identities without owner to the profile of the mpid, so that requests by them reach its data', async () => {
      const mpid = await mpidOf(customer('a'));
      expect((await ownerOf(mpid, email('e'), device('d'))).ownedIdentities).toEqual([email('e'), device('d')]);
      expect([await mpidOf(email('e')), await mpidOf(device('d'))]).toEqual([mpid, mpid]);
      expect((await ownerOf(mpid, device('d'))).mpid).toBe(mpid);
    });

    it('gets a profile of its own for a login identity of which the profile of the mpid has another value', async () => {
      const last = await mpidOf(email('a'), device('d'));
      const subject = await ownerOf(last, email('b'), device('d'));
      expect([subject.ownedIdentities, subject.mpid === last]).toEqual([[email('b')], false]);
      expect((await ownerOf(last, email('b'))).mpid).toBe(subject.mpid);
      expect((await ownerOf(last, customer('a'), email('a'))).mpid).toBe(last);
    });

    it('adds one alone of several logins at the same time to the profile of the mpid', async () => {
      const mpid = await mpidOf(device('d'));
      const owners = await Promise.all(Array.from({ length: 20 }, (_, i) => ownerOf(mpid, email(`e${i}`))));
      expect([
        owners.filter((owner) => owner.mpid === mpid).length,
        new Set(owners.map((owner) => owner.mpid)).size,
      ]).toEqual([1, 20]);
    });

    it('costs no more reads than one of identities and one of profiles, at the same time, if it names one profile', async () => {
      const mpid = await mpidOf(email('e'), device('d'));
      const { connection, vault, clock } = world.parts;
      let reads = 0;
      let together = 0;
      let open = 0;
      const counted = async <T>(read: Promise<T>): Promise<T> => {
        reads += 1;
        open += 1;
        together = Math.max(together, open);
        return read.finally(() => (open -= 1));
      };
      class Identities extends IdentitiesStore {
        override find = (...args: Parameters<IdentitiesStore['find']>) => counted(super.find(...args));
        override findByProfiles = (...args: Parameters<IdentitiesStore['findByProfiles']>) =>
          counted(super.findByProfiles(...args));
      }
      class Profiles extends ProfilesStore {
        override find = (of: string, mpids: readonly string[]) =>
          mpids.length === 0 ? super.find(of, mpids) : counted(super.find(of, mpids));
      }
      const own = { identities: new Identities(connection), profiles: new Profiles(connection) };
      const subjects = new Subjects({ ...world.stores, ...own }, vault, clock, world.afterErasure);
      const named = { mpid, ranked: [email('e'), device('d')] };
      expect(await subjects.resolveOwner(ws, named, 'drop')).toMatchObject({ mpid });
      expect([reads, together]).toEqual([2, 2]);
    });
  });

  describe('a device without login', () => {
    it('belongs to its owner without login identity, else to an anonymous profile', async () => {
      const alone = await mpidOf(device('alone'));
      expect((await anonymous(device('alone'))).mpid).toBe(alone);
      const owner = await mpidOf(email('e'), device('d'));
      const unknown = await anonymous(device('d'));
      expect(unknown.mpid).not.toBe(owner);
      expect(unknown.ownedIdentities).toEqual([device('d')]);
      expect((await anonymous(device('d'))).mpid).toBe(unknown.mpid);
      expect(await mpidOf(device('d'))).toBe(owner);
    });

    it('has one anonymous profile, even for a hundred concurrent calls', async () => {
      await mpidOf(email('e'), device('d'));
      const mpids = await Promise.all(Array.from({ length: 100 }, async () => (await anonymous(device('d'))).mpid));
      expect(new Set(mpids).size).toBe(1);
      expect(await profilesIn(ws)).toHaveLength(2);
    });

    it('keeps its anonymous profile after its owner is gone', async () => {
      const owner = await mpidOf(email('e'), device('d'));
      const unknown = await anonymous(device('d'));
      await world.stores.removal.removeProfile(ws, owner);
      expect((await anonymous(device('d'))).mpid).toBe(unknown.mpid);
      expect(await mpidOf(device('d'))).toBe(unknown.mpid);
    });

    it('gets a new anonymous profile once the old one has a login identity', async () => {
      await mpidOf(email('e'), device('d'));
      const unknown = await anonymous(device('d'));
      expect(await world.stores.subjects.modify(ws, unknown.mpid, [{ to: email('new') }], 'accept')).toBe('done');
      const next = await anonymous(device('d'));
      expect(next.mpid).not.toBe(unknown.mpid);
      expect((await anonymous(device('d'))).mpid).toBe(next.mpid);
    });
  });

  describe('reading a profile', () => {
    it('finds by the highest-ranking known identity and by mpid, and creates none', async () => {
      const find = (...args: Parameters<typeof world.stores.subjects.search>) => world.stores.subjects.search(...args);
      const of = (inWs: string, mpid: string) => world.stores.subjects.findByMpid(inWs, mpid);
      const mpid = await mpidOf(customer('c'), device('d'));
      expect(await find(ws, [email('new'), device('d')])).toMatchObject({ mpid, ownedIdentities: [device('d')] });
      expect(await of(ws, mpid)).toMatchObject({ mpid, ownedIdentities: [] });
      expect([await find(ws, [email('new')]), await of(ws, '1'), await of('elsewhere', mpid)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(await profilesIn(ws)).toHaveLength(1);
    });
  });

  describe('the profile that a request matches', () => {
    const reached = async (of: string, ...identities: Ranked) =>
      (await world.stores.matcher.findProfiles(of, identities, 'anonymous')).map(({ mpid }) => mpid).sort();

    it('is that of a device only if it has no login identity', async () => {
      const { mpid } = await world.identify(ws, device('d1'));
      expect(await reached(ws, device('d1'))).toEqual([mpid]);
      await world.identify(ws, email('e'), device('d1'));
      expect(await reached(ws, device('d1'))).toEqual([]);
      expect(await reached(ws, device('d1'), email('e'))).toEqual([mpid]);
    });

    it('includes the anonymous profile of the device', async () => {
      const owner = await mpidOf(email('e'), device('d'));
      const unknown = await anonymous(device('d'));
      expect(await reached(ws, device('d'))).toEqual([unknown.mpid]);
      expect(await reached(ws, device('d'), email('e'))).toEqual([owner, unknown.mpid].sort());
    });

    it('is that of its mpid, in its own workspace only', async () => {
      const mpid = await mpidOf(email('e'));
      expect(await reached(ws, identity('mpid', mpid))).toEqual([mpid]);
      expect(await reached('elsewhere', identity('mpid', mpid))).toEqual([]);
    });
  });
}
