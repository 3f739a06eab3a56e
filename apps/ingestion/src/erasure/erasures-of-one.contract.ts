import type { Identity } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import { Faults, WRITES_BETWEEN_DEATHS } from '@opendsr-service/storage/testing';
import { SubjectMatcher } from '../identities/subject-matcher';
import { ProfilesStore } from '../profiles/profiles.store';
import { Erasures, LEASE_MS, SECOND_PASS_MS, WatchedPublisher } from '../testing/erasures';
import { identity, World } from '../testing/world';
import { Removal } from './removal';

/** A spec that crashes at every write is slow on a busy machine. */
const CRASHES_MS = 180_000;

/** Concurrent erasures of one data subject, for any store. */
export function erasuresOfOneContract(mongodbUri?: string): void {
  let world: World;
  let erasures: Erasures;
  let n = 0;
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  beforeEach(() => {
    erasures = new Erasures(world, `one${++n}`);
  });
  afterAll(() => world.close());

  const named = (name: string) =>
    [identity('controller_customer_id', name), identity('email', name), identity('ios_advertising_id', name)] as const;
  const person = named('p');
  const [customer, email, device] = person;
  type Person = Awaited<ReturnType<Erasures['takeIn']>>;
  const watched = (people: readonly Person[], faults?: Faults) =>
    new WatchedPublisher(
      erasures,
      async () => (await Promise.all(people.map(({ left }) => left()))).reduce((sum, left) => sum + left, 0),
      faults,
    );
  /** An erasure between its two passes. */
  const underWay = async (...identities: readonly Identity[]) => {
    const first = await erasures.begin(...identities);
    await erasures.worker(watched([])).runOnce();
    await erasures.due(first, 'next year');
    return first;
  };

  describe('a second erasure of one data subject', () => {
    it('does all of the work and names the subject, although the identities no longer match', async () => {
      const erased = await erasures.takeIn(person);
      await underWay(email);
      const late = {
        _id: `${erasures.ws}-late`,
        ws: erasures.ws,
        mpid: erased.mpid,
        kid: 'k',
        sealed: 'late',
        at: new Date(9),
      };
      await world.stores.batches.keep([late]);
      const second = await erasures.begin(customer);
      const publisher = watched([erased]);
      await erasures.worker(publisher).runOnce();
      expect(publisher.reports).toEqual([]);
      world.parts.clock.advance(SECOND_PASS_MS);
      await erasures.worker(publisher).runOnce();
      expect(publisher.reports).toEqual([{ srid: second.srid, erased: [erased.index], left: 0 }]);
    });

    it('erases the previous profile as well as the current one', async () => {
      const before = await erasures.takeIn(person);
      const first = await erasures.begin(email);
      world.publisher.away = true;
      const { publisher: away } = world;
      await erasures.worker(away).runOnce();
      world.publisher.away = false;
      await erasures.due(first, 'next year');
      // None of their identities is used again, so only the second erasure destroys their key.
      const now = await erasures.takeIn([identity('other', 'o')]);
      const second = await erasures.begin(customer, identity('other', 'o'));
      const publisher = watched([before, now]);
      await erasures.drain(erasures.worker(publisher));
      expect(publisher.reports).toEqual([{ srid: second.srid, erased: expect.any(Array) as string[], left: 0 }]);
      expect([...(publisher.reports[0]?.erased ?? [])].sort()).toEqual([before.index, now.index].sort());
    });

    it('finds both profiles after the return of an old identity', async () => {
      const before = await erasures.takeIn(person);
      await underWay(email);
      const now = await erasures.takeIn(person);
      await erasures.begin(customer);
      const publisher = watched([before, now]);
      await erasures.drain(erasures.worker(publisher));
      expect(publisher.reports.map(({ left, erased }) => [left, [...(erased ?? [])].sort()])).toEqual([
        [0, [before.index, now.index].sort()],
      ]);
    });

    it('finds a subject without identities by its mpid', async () => {
      const erased = await erasures.takeIn([email]);
      await world.stores.subjects.modify(erasures.ws, erased.mpid, [{ from: email }], 'accept');
      await underWay(identity('mpid', erased.mpid));
      await erasures.begin(identity('mpid', erased.mpid), customer);
      const publisher = watched([erased]);
      await erasures.drain(erasures.worker(publisher));
      expect(publisher.reports).toMatchObject([{ erased: [erased.index], left: 0 }]);
    });

    it('finds a subject by identities that were added during the erasure', async () => {
      const erased = await erasures.takeIn([email]);
      const owned = await world.stores.identities.findByProfile(erasures.ws, erased.mpid);
      const places = await new SubjectMatcher(world.stores, world.parts.vault).slotsOf(erasures.ws, [customer]);
      const late = owned.flatMap((own) => places.map(({ _id }) => ({ ...own, _id, type: customer.type })));
      expect(late).toHaveLength(1);
      class Late extends ProfilesStore {
        override async removeData(...args: Parameters<ProfilesStore['removeData']>): Promise<void> {
          await world.stores.identities.attach(late);
          await super.removeData(...args);
        }
      }
      const { vault, clock, connection } = world.parts;
      const first = await erasures.begin(email);
      await erasures
        .worker(watched([]), {
          ...world.stores,
          removal: new Removal({ ...world.stores, profiles: new Late(connection) }, vault, clock),
        })
        .runOnce();
      await erasures.due(first, 'next year');
      await erasures.begin(customer);
      const publisher = watched([erased]);
      await erasures.drain(erasures.worker(publisher));
      expect(publisher.reports).toMatchObject([{ erased: [erased.index], left: 0 }]);
    });

    it('matches no profile with a login identity by a device', async () => {
      await erasures.takeIn(person);
      await underWay(email);
      await erasures.begin(device);
      const publisher = watched([]);
      await erasures.worker(publisher).runOnce();
      expect(publisher.reports).toMatchObject([{ erased: [] }]);
    });

    it('names the subject until the first is completed, because archives may hold its data', async () => {
      const erased = await erasures.takeIn(person);
      const first = await erasures.begin(email);
      const publisher = watched([erased]);
      await erasures.drain(erasures.worker(publisher));
      const second = await erasures.begin(customer);
      await erasures.drain(erasures.worker(publisher));
      expect(publisher.reports.map((report) => report.erased)).toEqual([[erased.index], [erased.index]]);
      for (const order of [first, second]) await erasures.complete(order);
      await erasures.drain(erasures.worker(publisher));
      expect(await erasures.links()).toBe(0);
      const third = await erasures.begin(customer, email);
      await erasures.worker(publisher).runOnce();
      expect(publisher.reports.slice(2)).toEqual([{ srid: third.srid, erased: [], left: 0 }]);
      // Each was reported once, in spite of repeated completion events.
      for (const order of [first, second, third]) await erasures.complete(order);
      await erasures.drain(erasures.worker(publisher));
      expect(publisher.reports).toHaveLength(3);
    });

    it('finds no subject once the first is completed, even if the completion came before the stored report', async () => {
      await erasures.takeIn(person);
      const first = await erasures.begin(email);
      const publisher = watched([]);
      const hasty: Publisher = {
        available: true,
        publish: async (topic, records) => {
          await publisher.publish(topic, records);
          await erasures.complete(first);
        },
      };
      await erasures.drain(erasures.worker(hasty));
      expect(await erasures.links()).toBe(0);
      await erasures.begin(customer);
      await erasures.worker(publisher).runOnce();
      expect(publisher.reports.at(-1)).toMatchObject({ erased: [] });
    });

    it(
      'is reported after all data is deleted, wherever the first one crashed',
      async () => {
        const faults = new Faults();
        let crashes = 0;
        for (let write = 1; ; write += WRITES_BETWEEN_DEATHS) {
          const [customer, email, device] = named(`p${write}`);
          const erased = await erasures.takeIn([customer, email, device]);
          const first = await erasures.begin(email);
          const dead = watched([erased], faults);
          const dying = await erasures.dying(dead, faults);
          faults.dieAt(write);
          await erasures.run(dying);
          const survived = !faults.dead;
          faults.dieAt(Infinity);
          await erasures.due(first, 'next year');
          const second = await erasures.begin(customer);
          const publisher = watched([erased]);
          await erasures.run(erasures.worker(publisher));
          expect({ write, reports: publisher.reports }).toEqual({
            write,
            reports: [{ srid: second.srid, erased: [erased.index], left: 0 }],
          });
          // A report may arrive although its writer crashed.
          if (dead.reports.length > 0) await erasures.complete(first);
          await erasures.due(first, 'now');
          await erasures.run(erasures.worker(publisher));
          for (const order of [first, second]) await erasures.complete(order);
          await erasures.run(erasures.worker(publisher));
          expect({ write, early: dead.early() + publisher.early(), links: await erasures.links() }).toEqual({
            write,
            early: 0,
            links: 0,
          });
          if (survived) break;
          crashes += 1;
        }
        expect(crashes).toBe(Math.ceil(25 / WRITES_BETWEEN_DEATHS));
      },
      CRASHES_MS,
    );

    it(
      'continues after a crash at any of its writes',
      async () => {
        const faults = new Faults();
        let crashes = 0;
        for (let write = 1; ; write += WRITES_BETWEEN_DEATHS) {
          const [customer, email, device] = named(`p${write}`);
          const erased = await erasures.takeIn([customer, email, device]);
          await underWay(email);
          const second = await erasures.begin(customer);
          const dead = watched([erased], faults);
          const dying = await erasures.dying(dead, faults);
          faults.dieAt(write);
          await erasures.run(dying);
          const survived = !faults.dead;
          faults.dieAt(Infinity);
          world.parts.clock.advance(LEASE_MS);
          const publisher = watched([erased]);
          await erasures.run(erasures.worker(publisher));
          const reports = [...dead.reports, ...publisher.reports];
          expect({
            write,
            srids: [...new Set(reports.map(({ srid }) => srid))],
            early: dead.early() + publisher.early(),
          }).toEqual({ write, srids: [second.srid], early: 0 });
          expect(reports.map((report) => report.erased)).toEqual(reports.map(() => [erased.index]));
          if (survived) break;
          crashes += 1;
        }
        expect(crashes).toBe(Math.ceil(24 / WRITES_BETWEEN_DEATHS));
      },
      CRASHES_MS,
    );
  });
}
