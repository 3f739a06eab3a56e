import type { AfterErasurePolicy, Identity } from '@opendsr-service/contracts';
import { identity, taken, World } from '../testing/world';
import { ErasedIdentitiesStore } from './erased-identities.store';
import { IdentitiesStore } from './identities.store';
import { Subjects } from './subjects.store';
import { UnverifiedSubjects } from './unverified-subjects.store';

/** Data that arrives after an erasure, for any store. */
export function afterErasureContract(mongodbUri?: string): void {
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
    ws = `after${++n}`;
  });
  afterAll(() => world.close());

  const mpidOf = async (...ranked: readonly Identity[]) => (await world.identify(ws, ...ranked)).mpid;
  const anonymous = async (...devices: readonly Identity[]) =>
    taken(await world.stores.subjects.identifyAnonymous(ws, devices, 'accept'));

  const profilesIn = (of: string) => world.parts.connection.collection('profiles').find({ ws: of }).toArray();

  describe('data that arrives for an erased subject', () => {
    const subjects = () => world.stores.subjects;
    const erased = async () => {
      const mpid = await mpidOf(customer('c'), email('e'), device('d'));
      await world.stores.removal.removeProfile(ws, mpid);
      await world.stores.removal.remove(ws, mpid, () => Promise.resolve());
      return mpid;
    };
    const ownerOf = (policy: AfterErasurePolicy, mpid: string | undefined, ...ranked: readonly Identity[]) =>
      subjects().resolveOwner(ws, { ranked, ...(mpid !== undefined && { mpid }) }, policy);
    const counted = async (calls: () => Promise<unknown>) => {
      const before = { ...world.afterErasure.values };
      await calls();
      const after = world.afterErasure.values;
      return {
        accept: after.accept - before.accept,
        drop: after.drop - before.drop,
        reject: after.reject - before.reject,
      };
    };

    it('is remembered by many calls at once, none of which fails', async () => {
      const erasedIds = new ErasedIdentitiesStore(world.parts.connection);
      for (let round = 0; round < 5; round += 1) {
        const ids = [`${ws}|at-once-${round}`];
        const now = world.parts.clock.now();
        await Promise.all(Array.from({ length: 40 }, () => erasedIds.remember(ws, ids, now)));
      }
    });

    it.each([
      ['a new profile', false],
      ['a known one', true],
    ])('is refused also where the erasure begins while the call attaches its identities to %s', async (_, isKnown) => {
      const known = await mpidOf(customer('known'));
      let erasing = email('e');
      class Slow extends IdentitiesStore {
        override async attach(...args: Parameters<IdentitiesStore['attach']>): Promise<boolean> {
          await world.stores.removal.recordErased(ws, [erasing]);
          return super.attach(...args);
        }
      }
      const { parts, stores, afterErasure } = world;
      const slow = { ...stores, identities: new Slow(parts.connection) };
      const verified = new Subjects(slow, parts.vault, parts.clock, afterErasure);
      const ranked = [...(isKnown ? [customer('known')] : []), email('e')];
      expect(await verified.identify(ws, ranked, 'reject')).toBe('rejected');
      erasing = email('later');
      const unverified = new UnverifiedSubjects(slow, parts.vault, parts.clock, afterErasure);
      expect(
        await (isKnown
          ? verified.modify(ws, known, [{ to: erasing }], 'reject')
          : unverified.identify(ws, [erasing], 'reject')),
      ).toBe('rejected');
      expect(
        (await parts.connection.collection('identities').find({ ws }).toArray()).map(({ mpid }) => String(mpid)),
      ).toEqual([known]);
      expect(await profilesIn(ws)).toHaveLength(1);
    });

    it.each([
      ['identify', 'the write of an identity'],
      ['identify', 'the question after it'],
      ['identify a person for the first time', 'the write of an identity'],
      ['identify a person for the first time', 'the question after it'],
      ['modify', 'the write of an identity'],
      ['modify', 'the question after it'],
    ] as const)('is refused when %s is repeated after %s has failed, as the erasure began', async (call, failed) => {
      const known = await mpidOf(customer('known'));
      const { parts, stores, afterErasure } = world;
      let failures = 0;
      const failOnce = (where: typeof failed) => {
        if (where === failed && ++failures === 1) throw new Error('planted');
      };
      class Failing extends IdentitiesStore {
        override async attach(...args: Parameters<IdentitiesStore['attach']>): Promise<boolean> {
          await stores.removal.recordErased(ws, [email('e')]);
          const isAttached = await super.attach(...args);
          // Its answer is lost.
          failOnce('the write of an identity');
          return isAttached;
        }
      }
      let questions = 0;
      class Away extends ErasedIdentitiesStore {
        override async holdsAny(...args: Parameters<ErasedIdentitiesStore['holdsAny']>): Promise<boolean> {
          if (++questions === 2) failOnce('the question after it');
          return super.holdsAny(...args);
        }
      }
      const own = { ...stores, identities: new Failing(parts.connection), erased: new Away(parts.connection) };
      const failing = new Subjects(own, parts.vault, parts.clock, afterErasure);
      const ask = () =>
        call === 'modify'
          ? failing.modify(ws, known, [{ to: email('e') }], 'reject')
          : failing.identify(ws, [...(call === 'identify' ? [customer('known')] : []), email('e')], 'reject');
      await expect(ask()).rejects.toThrow('planted');
      expect(await parts.connection.collection('identities').countDocuments({ ws })).toBe(1);
      expect([failures, await ask()]).toEqual([1, 'rejected']);
      expect(await subjects().search(ws, [email('e')])).toBeUndefined();
    });

    it('is asked for once under accept, before anything is attached', async () => {
      const known = await mpidOf(customer('known'));
      const asking = jest.spyOn(world.stores.erased, 'holdsAny');
      expect(await subjects().modify(ws, known, [{ to: email('e') }], 'accept')).toBe('done');
      expect(asking).toHaveBeenCalledTimes(1);
      asking.mockClear();
      await mpidOf(customer('known'), email('new'));
      expect(asking).toHaveBeenCalledTimes(1);
      asking.mockRestore();
    });

    it('belongs to a new profile under the policy accept', async () => {
      await erased();
      expect(await counted(() => mpidOf(email('e')))).toEqual({ accept: 1, drop: 0, reject: 0 });
      expect(await counted(() => mpidOf(email('e')))).toEqual({ accept: 0, drop: 0, reject: 0 });
    });

    it('is dropped or rejected with the whole call for any of their identities, and nothing is written', async () => {
      const known = await mpidOf(customer('known'));
      await erased();
      const count = await counted(async () => {
        expect(await subjects().identify(ws, [customer('known'), email('e')], 'drop')).toBe('dropped');
        expect(await subjects().identify(ws, [customer('new'), email('e'), device('d')], 'reject')).toBe('rejected');
        expect(await subjects().identifyAnonymous(ws, [device('d')], 'drop')).toBe('dropped');
        expect(await subjects().modify(ws, known, [{ to: email('e') }, { to: email('other') }], 'reject')).toBe(
          'rejected',
        );
        expect(await subjects().modify(ws, known, [{ to: email('e') }, { to: email('other') }], 'drop')).toBe('done');
      });
      expect(count).toEqual({ accept: 0, drop: 3, reject: 2 });
      expect(await subjects().search(ws, [customer('new'), email('other'), email('e'), device('d')])).toBeUndefined();
      expect(await profilesIn(ws)).toHaveLength(1);
    });

    it('includes that of a device of an anonymous subject', async () => {
      const owner = await mpidOf(email('owner'), device('d'));
      const unknown = await anonymous(device('d'));
      await world.stores.removal.removeProfile(ws, unknown.mpid);
      await world.stores.removal.remove(ws, unknown.mpid, () => Promise.resolve());
      expect(await subjects().identifyAnonymous(ws, [device('d')], 'drop')).toBe('dropped');
      expect(await subjects().identify(ws, [device('d')], 'drop')).toMatchObject({ ownedIdentities: [device('d')] });
      expect(await subjects().modify(ws, owner, [{ from: device('d') }], 'drop')).toBe('done');
      expect(await subjects().identify(ws, [device('d')], 'drop')).toBe('dropped');
    });

    it('does not include data of another subject from the device, known by a login identity or mpid', async () => {
      await erased();
      const known = await mpidOf(email('known'));
      const count = await counted(async () => {
        expect(await ownerOf('reject', known, device('d'))).toMatchObject({ mpid: known });
        expect(await ownerOf('reject', known, email('known'), device('d'))).toMatchObject({ mpid: known });
        expect(await subjects().modify(ws, known, [{ to: device('d') }], 'reject')).toBe('done');
        expect(await subjects().modify(ws, known, [{ from: device('d') }], 'reject')).toBe('done');
        expect(await subjects().identify(ws, [email('new'), device('d')], 'reject')).toMatchObject({
          ownedIdentities: [email('new'), device('d')],
        });
        // Now the device belongs to that subject, even without login.
        expect(await subjects().identify(ws, [device('d')], 'reject')).toMatchObject({
          ownedIdentities: [device('d')],
        });
        expect(await subjects().identifyAnonymous(ws, [device('d')], 'reject')).toMatchObject({
          ownedIdentities: [device('d')],
        });
      });
      expect(count).toEqual({ accept: 0, drop: 0, reject: 0 });
    });

    it('includes calls that name devices only, and changes that attach an erased device to such a profile', async () => {
      await erased();
      const unknown = await mpidOf(device('another'));
      const count = await counted(async () => {
        expect(await subjects().identify(ws, [device('d'), device('another')], 'reject')).toBe('rejected');
        expect(await ownerOf('drop', unknown, device('d'))).toBe('dropped');
        expect(await subjects().modify(ws, unknown, [{ to: device('d') }], 'reject')).toBe('rejected');
      });
      expect(count).toEqual({ accept: 0, drop: 1, reject: 2 });
      expect(await subjects().search(ws, [device('d')])).toBeUndefined();
    });

    it('includes that of an erased mpid, whatever identities the call names, and is counted once', async () => {
      const known = await mpidOf(email('known'));
      const mpid = await erased();
      const count = await counted(async () => {
        expect(await ownerOf('drop', mpid, email('known'))).toBe('dropped');
        expect(await ownerOf('reject', mpid)).toBe('rejected');
        expect(await subjects().modify(ws, mpid, [{ to: email('other') }], 'drop')).toBe('done');
        expect(await subjects().modify(ws, mpid, [{ to: email('other') }], 'reject')).toBe('rejected');
      });
      expect(count).toEqual({ accept: 0, drop: 2, reject: 2 });
      expect(await ownerOf('drop', '17')).toBeUndefined();
      expect(await ownerOf('drop', '17', email('known'))).toMatchObject({ mpid: known });
      expect(await profilesIn(ws)).toHaveLength(1);
    });

    it('belongs to the other identities of the call under accept, and to no profile without them', async () => {
      const known = await mpidOf(email('known'));
      const mpid = await erased();
      const count = await counted(async () => {
        expect(await ownerOf('accept', mpid)).toBeUndefined();
        expect(await ownerOf('accept', mpid, email('known'))).toMatchObject({ mpid: known });
        expect(await ownerOf('accept', mpid, email('e'))).toMatchObject({ ownedIdentities: [email('e')] });
        expect(await subjects().modify(ws, mpid, [{ to: email('other') }], 'accept')).toBe('unknown-profile');
      });
      expect(count).toEqual({ accept: 4, drop: 0, reject: 0 });
    });

    it('includes a batch of a known mpid that also names an erased identity without owner', async () => {
      const known = await mpidOf(email('known'));
      await erased();
      const count = await counted(async () => {
        expect(await ownerOf('drop', known, email('e'))).toBe('dropped');
        expect(await ownerOf('reject', known, email('known'), customer('c'))).toBe('rejected');
        const again = taken(await ownerOf('accept', known, email('e'))).mpid;
        expect(again).not.toBe(known);
        expect(await ownerOf('drop', known, email('e'))).toMatchObject({ mpid: again });
      });
      expect(count).toEqual({ accept: 1, drop: 1, reject: 1 });
    });

    it('costs a batch of a known mpid no read of erased identities if all are owned', async () => {
      const known = await mpidOf(email('known'));
      const { connection, vault, clock } = world.parts;
      class Untouched extends ErasedIdentitiesStore {
        override holdsAny(_: string, ids: readonly string[]): Promise<boolean> {
          return ids.length === 0 ? Promise.resolve(false) : Promise.reject(new Error('looked at'));
        }
      }
      const sparing = new Subjects(
        { ...world.stores, erased: new Untouched(connection) },
        vault,
        clock,
        world.afterErasure,
      );
      expect(await sparing.resolveOwner(ws, { mpid: known, ranked: [email('known')] }, 'drop')).toMatchObject({
        mpid: known,
      });
      await expect(sparing.resolveOwner(ws, { mpid: known, ranked: [email('new')] }, 'drop')).rejects.toThrow(
        'looked at',
      );
    });

    it('costs no read if the identities of the call have an owner', async () => {
      await erased();
      const again = await mpidOf(email('e'));
      expect(await subjects().identify(ws, [email('e')], 'drop')).toMatchObject({ mpid: again });
    });
  });
}
