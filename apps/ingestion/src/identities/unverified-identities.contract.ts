import type { AfterErasurePolicy, Identity } from '@opendsr-service/contracts';
import { Erasures, WatchedPublisher } from '../testing/erasures';
import { identity, taken, World } from '../testing/world';

/**
 * What the public key alone may assert, and what requests match by it (decision 18), for any store. The letters
 * are those of its table.
 */
export function unverifiedIdentitiesContract(mongodbUri?: string): void {
  const [mallory, ann] = [identity('controller_customer_id', 'mallory'), identity('controller_customer_id', 'ann')];
  const annMail = identity('email', 'ann@example.com');
  const [phone, browser] = [identity('ios_advertising_id', 'phone'), identity('device_application_stamp', 'browser')];
  type Ranked = readonly Identity[];

  let world: World;
  let ws = '';
  let n = 0;
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  beforeEach(() => {
    ws = `unverified${++n}`;
  });
  afterAll(() => world.close());

  const unverified = () => world.stores.unverifiedSubjects;
  const byKeyAlone = async (...ranked: Ranked) => unverified().identify(ws, ranked, 'accept');
  const mpidOf = async (...ranked: Ranked) => {
    const subject = await byKeyAlone(...ranked);
    if (typeof subject === 'string') throw new Error(subject);
    return subject.mpid;
  };
  const proven = async (...ranked: Ranked) => (await world.identify(ws, ...ranked)).mpid;
  const reached = async (...identities: Ranked) =>
    (await world.stores.matcher.findProfiles(ws, identities, 'anonymous')).map(({ mpid }) => mpid).sort();
  const erased = async (mpid: string) => {
    await world.stores.removal.removeProfile(ws, mpid);
    await world.stores.removal.remove(ws, mpid, () => Promise.resolve());
  };
  const kept = async () =>
    (
      await Promise.all(
        ['profiles', 'identities'].map((name) => world.parts.connection.collection(name).find({ ws }).toArray()),
      )
    ).flat().length;

  describe('an attacker with the public key', () => {
    it('A: adds no identity to a verified profile, so that no request by it matches the victim', async () => {
      const victim = await proven(annMail);
      const attacker = await mpidOf(mallory, annMail);
      expect(attacker).not.toBe(victim);
      expect(await reached(mallory)).toEqual([attacker]);
      expect(await reached(annMail)).toEqual([victim]);
      expect(await proven(mallory)).not.toBe(victim);
    });

    it('B: claims no identity before its owner: a later verified call gets a profile of its own', async () => {
      const attacker = await mpidOf(mallory, annMail);
      const victim = await proven(ann, annMail);
      expect(victim).not.toBe(attacker);
      expect(await reached(annMail)).toEqual([victim]);
      expect(await reached(mallory)).toEqual([attacker]);
    });

    it('C: gets nothing of what others sent by the key alone', async () => {
      const brought = await mpidOf(annMail, browser);
      const attacker = await mpidOf(mallory, annMail);
      expect(attacker).not.toBe(brought);
      expect(await reached(mallory)).toEqual([attacker]);
      expect(await reached(annMail)).toEqual([brought]);
      expect(await mpidOf(annMail)).toBe(brought);
    });

    it('D: gets nothing by the mpid that every caller gets who names an e-mail address', async () => {
      const brought = await mpidOf(annMail);
      expect(await reached(identity('mpid', brought))).toEqual([]);
    });

    it('E: neither changes a verified profile by its mpid nor learns that it exists', async () => {
      const victim = await proven(ann, annMail);
      const nobody = '123456789';
      for (const mpid of [victim, nobody]) {
        expect(await unverified().modify(ws, mpid, [{ from: annMail }], 'accept')).toBe('unknown-profile');
        expect(await unverified().resolveOwner(ws, { mpid, ranked: [] }, 'accept')).toBeUndefined();
      }
      expect(await reached(annMail)).toEqual([victim]);
    });

    it('F: changes by a modify neither what requests match nor the owner of later calls', async () => {
      const attacker = await mpidOf(mallory);
      expect(await unverified().modify(ws, attacker, [{ to: annMail }, { from: mallory }], 'accept')).toBe('done');
      expect(await reached(annMail)).toEqual([]);
      expect(await reached(mallory)).toEqual([attacker]);
      expect(await mpidOf(annMail)).not.toBe(attacker);
      expect(await proven(annMail)).not.toBe(attacker);
    });

    it('G: gets no verified identity attached to a profile whose mpid a page knows', async () => {
      const attacker = await mpidOf(annMail);
      expect(await world.stores.subjects.modify(ws, attacker, [{ to: mallory }], 'accept')).toBe('unknown-profile');
      expect(await reached(mallory)).toEqual([]);
    });

    it('H: erases no other subject by its own erasure, and marks none as erased', async () => {
      const victim = await proven(annMail);
      const brought = await mpidOf(annMail);
      const attacker = await mpidOf(mallory, annMail, phone);
      const erasures = new Erasures(world, ws);
      const publisher = new WatchedPublisher(erasures, () => Promise.resolve(0));
      await erasures.begin(mallory);
      await erasures.run(erasures.worker(publisher));
      expect(publisher.reports.map((report) => report.erased)).toEqual([
        [await world.parts.vault.erasedIndex(ws, attacker)],
      ]);
      expect(await reached(annMail)).toEqual([brought, victim].sort());
      expect(taken(await world.stores.subjects.identify(ws, [annMail, phone], 'reject')).mpid).toBe(victim);
    });

    it('I: gets the same answer whether or not a verified profile has the identity', async () => {
      await proven(annMail);
      const [known, unknown] = [await byKeyAlone(annMail, phone), await byKeyAlone(mallory, phone)];
      expect([known, unknown]).toMatchObject([{ ownedIdentities: [annMail] }, { ownedIdentities: [mallory] }]);
    });

    it.each<AfterErasurePolicy>(['drop', 'accept'])(
      'J: does not learn whether a subject was erased, under the policy %s',
      async (policy) => {
        await erased(await proven(annMail, phone));
        const [first, second] = [
          await unverified().identify(ws, [annMail, browser], policy),
          await unverified().identify(ws, [annMail, browser], policy),
        ];
        if (typeof first === 'string' || typeof second === 'string')
          throw new Error('an answer that reveals an erasure');
        expect([second.mpid, first.ownedIdentities]).toEqual([first.mpid, [annMail]]);
        expect(await unverified().modify(ws, first.mpid, [{ to: mallory }], policy)).toBe('done');
        expect(await unverified().resolveOwner(ws, { mpid: first.mpid, ranked: [] }, policy)).toEqual(
          policy === 'drop' ? 'dropped' : expect.objectContaining({ mpid: first.mpid }),
        );
        expect(await kept()).toBe(policy === 'drop' ? 0 : 2);
      },
    );

    it.each<[string, Ranked]>([
      ['is known already', [mallory]],
      ['has no owner yet', []],
    ])(
      'J2: gets the profile of the deciding identity, which %s, whether or not another one of the call was erased',
      async (_, known) => {
        for (const decides of known) await mpidOf(decides);
        await erased(await proven(annMail));
        const beside = await unverified().identify(ws, [mallory, annMail], 'drop');
        const alone = taken((await unverified().identify(ws, [mallory], 'drop')) as never);
        expect(beside).toEqual({ mpid: alone.mpid, ownedIdentities: alone.ownedIdentities });
        expect(await reached(mallory)).toEqual([alone.mpid]);
      },
    );

    it('K: gets no device of others by naming it beside an identity', async () => {
      const visitor = await mpidOf(browser);
      const attacker = await mpidOf(mallory, browser);
      expect([await reached(browser), await reached(mallory)]).toEqual([[visitor], [attacker]]);
    });
  });

  describe('a data subject whom pages name by the public key', () => {
    it('L: has one mpid for the same identities, whichever call is first, and another without login', async () => {
      const visitor = await mpidOf(browser);
      const calls = await Promise.all(Array.from({ length: 40 }, () => mpidOf(ann, annMail, browser)));
      expect([new Set(calls).size, calls.includes(visitor)]).toEqual([1, false]);
      expect(taken((await unverified().identifyAnonymous(ws, [browser], 'accept')) as never).mpid).toBe(visitor);
    });

    it('M: is matched by the deciding identity, the only one of its profile, and by no other identity of the call', async () => {
      const login = await mpidOf(ann, annMail, phone);
      expect([await reached(ann), await reached(annMail), await reached(phone)]).toEqual([[login], [], []]);
    });

    it('N: is matched by every verified identity once a verified caller has related them', async () => {
      const [login, mailed, visitor] = [await mpidOf(ann), await mpidOf(annMail), await mpidOf(phone)];
      const verified = await proven(ann, annMail, phone);
      for (const by of [ann, annMail]) expect(await reached(by)).toEqual([login, mailed, verified].sort());
      expect(await reached(phone)).toEqual([visitor]);
    });

    it('O: is erased with all of this data, and further erasures find it until the first is completed', async () => {
      const [login, mailed] = [await mpidOf(ann), await mpidOf(annMail)];
      const verified = await proven(ann, annMail);
      const erasures = new Erasures(world, ws);
      const publisher = new WatchedPublisher(
        erasures,
        async () => (await world.parts.connection.collection('identities').find({ ws }).toArray()).length,
      );
      for (const by of [annMail, ann]) {
        await erasures.begin(by);
        await erasures.run(erasures.worker(publisher));
      }
      const all = (
        await Promise.all([login, mailed, verified].map((mpid) => world.parts.vault.erasedIndex(ws, mpid)))
      ).sort();
      expect(publisher.reports.map(({ erased: who, left }) => [[...(who ?? [])].sort(), left])).toEqual([
        [all, 0],
        [all, 0],
      ]);
    });

    it('P: counts as erased for verified callers too', async () => {
      await erased(await mpidOf(annMail));
      expect(await world.stores.subjects.identify(ws, [annMail], 'reject')).toBe('rejected');
    });

    it('Q: has events by its mpid, from pages and from verified callers', async () => {
      const mpid = await mpidOf(ann, browser);
      for (const subjects of [unverified(), world.stores.subjects])
        expect(taken(await subjects.resolveOwner(ws, { mpid, ranked: [] }, 'accept')).mpid).toBe(mpid);
      expect(taken(await unverified().resolveOwner(ws, { ranked: [ann, annMail] }, 'accept')).mpid).toBe(mpid);
    });

    it('Q2: has events that a verified caller sends with its mpid and identities in the profiles of these', async () => {
      const [login, visitor] = [await mpidOf(ann), await mpidOf(browser)];
      const ownerOf = async (mpid: string, ...ranked: Ranked) =>
        taken(await world.stores.subjects.resolveOwner(ws, { mpid, ranked }, 'accept')).mpid;
      const verified = await ownerOf(login, ann, annMail);
      expect(await proven(ann, annMail)).toBe(verified);
      expect(await ownerOf(visitor, browser)).toBe(await ownerOf(visitor, browser));
      expect([await reached(annMail), await reached(browser)]).toEqual([
        [login, verified].sort(),
        [await proven(browser), visitor].sort(),
      ]);
    });

    it('R: is dropped under the policy drop, whichever erased identity a batch names', async () => {
      const mpid = await mpidOf(ann);
      await erased(await proven(annMail));
      expect(await unverified().resolveOwner(ws, { mpid, ranked: [annMail] }, 'drop')).toBe('dropped');
      expect(await unverified().resolveOwner(ws, { ranked: [ann, annMail] }, 'drop')).toBe('dropped');
      expect(taken(await unverified().resolveOwner(ws, { ranked: [ann, annMail] }, 'accept')).mpid).toBe(mpid);
    });
  });
}
