import { participantReports, profileKey, tombstoneId, TOPICS, type Identity } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { Faults, missUntilWrite, WRITES_BETWEEN_DEATHS } from '@opendsr-service/storage/testing';
import { foldTombstones } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { storesOn, type IngestionStores } from '../ingestion-stores.wiring';
import { BatchesStore } from '../profiles/batches.store';
import { Erasures, LEASE_MS, SECOND_PASS_MS, WatchedPublisher, type Working } from '../testing/erasures';
import { identity, taken, World } from '../testing/world';
import type { ErasureDocument } from './erasures.store';
import { Removal } from './removal';

/** A spec that crashes at every write is slow on a busy machine. */
const CRASHES_MS = 180_000;

/** Erasures, for any store. */
export function erasureContract(mongodbUri?: string): void {
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

  const person = [identity('controller_customer_id', 'c'), identity('email', 'e'), identity('ios_advertising_id', 'd')];

  const erasures = () => new Erasures(world, ws);
  const takeIn = (ranked: readonly Identity[]) => erasures().takeIn(ranked);
  const started = (...args: Parameters<Erasures['started']>) => erasures().started(...args);
  const consumer = () => erasures().consumer();
  const worker = (...args: Parameters<Erasures['worker']>) => erasures().worker(...args);
  const drain = (with_: Working) => erasures().drain(with_);
  const watched = (left: () => Promise<number>, faults?: Faults) => new WatchedPublisher(erasures(), left, faults);

  describe('an erasure', () => {
    it('removes profile, identities, batches and key, and is reported only then', async () => {
      const erased = await takeIn(person);
      const other = await takeIn([identity('email', 'somebody-else')]);
      const publisher = watched(erased.left);
      const batches = await world.parts.connection.collection('batches').countDocuments({ ws, mpid: erased.mpid });
      const order = await world.sealedIdentities(ws, [identity('email', 'e')]);
      expect(await consumer().handleRecords([started(order)])).toEqual(['done']);
      await drain(worker(publisher));
      expect(publisher.reports).toEqual([
        { srid: order.srid, left: 0, erased: [await world.parts.vault.erasedIndex(ws, erased.mpid)] },
      ]);
      expect(publisher.destroyed).toEqual([
        { profiles: 1, batches, keys: 1, tombstones: [tombstoneId({ ws, kid: erased.kid })] },
      ]);
      expect(batches).toBeGreaterThan(0);
      expect(await other.left()).toBe(5);
      expect(await world.export(ws, ...person)).toEqual([
        { subjects: [] },
        { end: { profiles: 0, batches: 0, attributes: 0 } },
      ]);
    });

    it('removes the parked records of the person, and no others', async () => {
      const erased = await takeIn(person);
      const other = await takeIn([identity('email', 'somebody-else')]);
      const keyOf = ({ mpid }: { readonly mpid: string }) => profileKey(ws, mpid);
      for (const [n, one] of [erased, erased, other].entries()) {
        const record = { key: keyOf(one), value: Buffer.from('{}'), headers: {}, timestampMs: 0 };
        const place = { topic: TOPICS.ingestProfiles.name, partition: 0, offset: String(n) };
        await world.stores.parked.park('ingestion-data', { ...record, ...place }, 'profile-too-large', true);
      }
      await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
      await drain(worker(watched(erased.left)));
      const parked = await world.parts.connection
        .collection<{ key: string }>('parked')
        .find({ key: { $in: [erased, other].map(keyOf) } })
        .toArray();
      expect(parked.map(({ key }) => key)).toEqual([keyOf(other)]);
    });

    it('reaches a person whose calls had the mpid of another, and leaves the other', async () => {
      const last = await takeIn([identity('email', 'last')]);
      const now = identity('email', 'now');
      const named = { mpid: last.mpid, ranked: [now] };
      const owner = taken(await world.stores.subjects.resolveOwner(ws, named, 'accept'));
      const publisher = watched(() => Promise.resolve(0));
      const before = await last.left();
      await consumer().handleRecords([started(await world.sealedIdentities(ws, [now]))]);
      await drain(worker(publisher));
      expect(publisher.reports.map(({ erased }) => erased)).toEqual([
        [await world.parts.vault.erasedIndex(ws, owner.mpid)],
      ]);
      expect([owner.mpid === last.mpid, await last.left()]).toEqual([false, before]);
    });

    it('wakes its poller when it begins, and when its request is completed', async () => {
      let waits = 0;
      world.stores.erasures.due.subscribe(() => (waits += 1));
      const request = await erasures().begin(identity('email', 'wakes@example.com'));
      expect(waits).toBe(1);
      await erasures().complete(request);
      expect(waits).toBe(2);
    });

    it('ends with its request also if a read after an election would miss it', async () => {
      const { left } = await takeIn(person);
      const request = await erasures().begin(...person);
      await drain(worker(watched(left)));
      const before = await erasures().links();
      missUntilWrite(world.parts.connection.collection('erasures'));
      await erasures().complete(request);
      await drain(worker(watched(left)));
      expect([before > 0, await erasures().links()]).toEqual([true, 0]);
    });

    it('stores keyed hashes of the erased identities, for the policy about later data', async () => {
      const { mpid } = await takeIn(person);
      await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
      await drain(worker(watched(() => Promise.resolve(0))));
      const calls = () => Promise.all(person.map((one) => world.stores.subjects.identify(ws, [one], 'drop')));
      expect(await calls()).toEqual(['dropped', 'dropped', 'dropped']);
      expect(await world.stores.subjects.identify(ws, [identity('email', 'e')], 'reject')).toBe('rejected');
      expect(await world.stores.subjects.resolveOwner(ws, { mpid, ranked: [] }, 'reject')).toBe('rejected');
      const kept = await world.parts.connection.collection('erasedIdentities').find({ ws }).toArray();
      expect(kept.map((document) => Object.keys(document).sort())).toEqual(
        [mpid, ...person].map(() => ['_id', 'at', 'ws']),
      );
      expect(JSON.stringify(kept)).not.toContain(mpid);
    });

    it('also stores the hashes of named identities without owner', async () => {
      const nobody = [identity('controller_customer_id', 'nobody'), identity('email', 'nobody')];
      await takeIn([identity('email', 'e')]);
      for (const order of [[identity('email', 'e'), ...nobody.slice(0, 1)], nobody.slice(1)])
        await consumer().handleRecords([started(await world.sealedIdentities(ws, order))]);
      await drain(worker(watched(() => Promise.resolve(0))));
      expect(await Promise.all(nobody.map((one) => world.stores.subjects.identify(ws, [one], 'reject')))).toEqual([
        'rejected',
        'rejected',
      ]);
      expect(await world.stores.subjects.identify(ws, [identity('email', 'stranger')], 'reject')).toMatchObject({
        ownedIdentities: [identity('email', 'stranger')],
      });
    });

    it('extends its claim while it deletes page after page', async () => {
      const erased = await takeIn(person);
      const many = Array.from({ length: 600 }, (_, i) => ({
        _id: `${ws}-${i}`,
        ws,
        mpid: erased.mpid,
        kid: 'k',
        sealed: 's',
        at: new Date(i),
      }));
      await world.stores.batches.keep(many);
      const rivals: number[] = [];
      class SlowBatches extends BatchesStore {
        override async removePageByProfile(...args: Parameters<BatchesStore['removePageByProfile']>): Promise<boolean> {
          world.parts.clock.advance(LEASE_MS / 2);
          rivals.push((await world.stores.erasures.claimDue(world.parts.clock.now(), 10)).length);
          return super.removePageByProfile(...args);
        }
      }
      const batches = new SlowBatches(world.parts.connection);
      await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
      await worker(watched(erased.left), {
        ...world.stores,
        removal: new Removal({ ...world.stores, batches }, world.parts.vault, world.parts.clock),
      }).runOnce();
      expect(rivals).toEqual([0, 0, 0, 0]);
      expect(await erased.left()).toBe(0);
      await drain(worker(watched(erased.left)));
    });

    it('keeps its claim while the decision takes longer than the lease', async () => {
      const erased = await takeIn(person);
      const { clock, connection, vault } = world.parts;
      const stored = connection.collection<ErasureDocument>('erasures');
      let rivals = -1;
      class SlowRemoval extends Removal {
        override async countBatches(...args: Parameters<Removal['countBatches']>): Promise<number> {
          for (let halves = 0; halves < 2; halves += 1) {
            clock.advance(LEASE_MS / 2);
            const dueAt = new Date(clock.now().getTime() + LEASE_MS);
            await until(async () => (await stored.findOne({ ws, dueAt })) !== null);
          }
          rivals = (await world.stores.erasures.claimDue(clock.now(), 10)).length;
          return super.countBatches(...args);
        }
      }
      const removal = new SlowRemoval(world.stores, vault, clock);
      await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
      await worker(watched(erased.left), { ...world.stores, removal }, vault, 1).runOnce();
      expect([rivals, await erased.left(), await stored.findOne({ ws })]).toMatchObject([0, 0, { passes: 1 }]);
      await drain(worker(watched(erased.left)));
    });

    it('stops when another worker has the claim', async () => {
      await takeIn(person);
      let claimed = 0;
      class StuckBatches extends BatchesStore {
        override async removePageByProfile(): Promise<boolean> {
          if (claimed === 0) world.parts.clock.advance(LEASE_MS);
          claimed += (await world.stores.erasures.claimDue(world.parts.clock.now(), 10)).length;
          return true;
        }
      }
      const batches = new StuckBatches(world.parts.connection);
      const publisher = watched(() => Promise.resolve(0));
      await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
      await worker(publisher, {
        ...world.stores,
        removal: new Removal({ ...world.stores, batches }, world.parts.vault, world.parts.clock),
      }).runOnce();
      expect([claimed, publisher.reports]).toEqual([1, []]);
      world.parts.clock.advance(LEASE_MS);
      await drain(worker(publisher));
      expect(publisher.reports).toHaveLength(1);
    });

    it('erases identities that a crash left without profile', async () => {
      const erased = await takeIn(person);
      await world.stores.profiles.removeData(ws, erased.mpid);
      const publisher = watched(erased.left);
      await consumer().handleRecords([started(await world.sealedIdentities(ws, [identity('email', 'e')]))]);
      await drain(worker(publisher));
      expect(publisher.reports).toEqual([expect.objectContaining({ left: 0 })]);
    });

    it('is repeated in an older copy of the database, before the service listens', async () => {
      const { connection, events, vault } = world.parts;
      const erased = await takeIn(person);
      const other = await takeIn([identity('email', 'somebody-else')]);
      const names = ['profiles', 'identities', 'batches', 'erasedIdentities'];
      const copy = await Promise.all(names.map((name) => connection.collection(name).find({ ws }).toArray()));
      await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
      await drain(worker(watched(erased.left)));
      for (const [n, name] of names.entries()) {
        await connection.collection(name).deleteMany({ ws });
        if (copy[n]?.length) await connection.collection(name).insertMany(copy[n]);
      }
      expect(await erased.left()).toBe(6);
      await foldTombstones(events, { connection, key: vault.tombstoneKey }, (tombstones) =>
        world.stores.removal.replay(tombstones),
      );
      expect([await erased.left(), await other.left()]).toEqual([0, 5]);
      expect(await world.stores.subjects.identify(ws, [identity('email', 'e')], 'drop')).toBe('dropped');
      expect(await world.stores.subjects.resolveOwner(ws, { mpid: erased.mpid, ranked: [] }, 'drop')).toBe('dropped');
    });

    it.each([
      // Batches, parked records, identities, what precludes profiles; the position twice.
      ['profiles', 6],
      // Hashes, identities, batches, parked records, hashes, profile, what precludes profiles; the position twice.
      ['identities', 9],
    ])('is repeated in a copy without its %s, after an interruption at any write', async (missing, writes) => {
      const { connection, events, vault, clock } = world.parts;
      const other = await takeIn([identity('email', 'somebody-else')]);
      const faults = new Faults();
      const dying = storesOn(faults.connection(connection), vault, clock, world.callRules);
      const fold = (stores: IngestionStores, on: Connection) =>
        foldTombstones(events, { connection: on, key: vault.tombstoneKey }, (tombstones) =>
          stores.removal.replay(tombstones),
        );
      let crashes = 0;
      for (let write = 1; ; write += 1) {
        const torn = await takeIn([identity('email', `${write}`), identity('other', `${write}`)]);
        await connection.collection(missing).deleteMany({ ws, mpid: torn.mpid });
        await vault.destroy(ws, torn.kid, 'subject');
        faults.dieAt(write);
        await fold(dying, faults.connection(connection)).catch(() => undefined);
        const survived = !faults.dead;
        faults.dieAt(Infinity);
        await fold(world.stores, connection);
        expect([await torn.left(), await other.left()]).toEqual([0, 5]);
        if (survived) break;
        crashes += 1;
      }
      expect(crashes).toBe(writes);
    });

    it('parks a malformed record, with a reason that reveals no content', async () => {
      const record = started(await world.sealedIdentities(ws, person));
      const broken = {
        ...record,
        key: 'another',
        value: Buffer.from('{"type":"RequestStarted","planted":"planted.person@example.com"}'),
      };
      const [verdict, next] = await consumer().handleRecords([broken, record]);
      expect([verdict, next]).toEqual([{ park: expect.stringMatching(/^schema:/) as string }, 'done']);
      expect(JSON.stringify(verdict)).not.toContain('planted');
      await drain(worker(watched(() => Promise.resolve(0))));
    });

    it('deletes data that arrived under cached keys in a second pass, before it reports', async () => {
      const erased = await takeIn(person);
      const publisher = watched(erased.left);
      await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
      await worker(publisher).runOnce();
      const late = { _id: `${ws}-late`, ws, mpid: erased.mpid, kid: 'k', sealed: 'late', at: new Date(9) };
      await world.stores.batches.keep([late]);
      await worker(publisher).runOnce();
      expect(publisher.reports).toEqual([]);
      expect(await erased.left()).toBe(1);
      world.parts.clock.advance(SECOND_PASS_MS);
      await worker(publisher).runOnce();
      expect(publisher.reports).toHaveLength(1);
      expect(publisher.reports[0]?.left).toBe(0);
    });

    it('is reported at once if no profile matches, and does not match a data subject by a device', async () => {
      const person_ = await takeIn(person);
      const publisher = watched(person_.left);
      await consumer().handleRecords([
        started(await world.sealedIdentities(ws, [identity('ios_advertising_id', 'd')])),
      ]);
      await worker(publisher).runOnce();
      expect(publisher.reports).toEqual([expect.objectContaining({ left: 7, erased: [] })]);
    });

    it('erases no later data when the log is replayed', async () => {
      await takeIn(person);
      const order = await world.sealedIdentities(ws, person);
      const publisher = watched(() => Promise.resolve(0));
      await consumer().handleRecords([started(order)]);
      await drain(worker(publisher));
      const newcomer = await takeIn(person);
      await consumer().handleRecords([started(order)]);
      await drain(worker(publisher));
      expect(await newcomer.left()).toBe(7);
      expect(publisher.reports).toHaveLength(1);
    });

    it('is repeated and reported if an older copy lacks it, but does not erase later profiles', async () => {
      const erased = await takeIn(person);
      const order = await world.sealedIdentities(ws, person);
      const record = started(order);
      await consumer().handleRecords([record]);
      const publisher = watched(erased.left);
      await drain(worker(publisher));
      await erasures().complete(order);
      await drain(worker(publisher));
      // The copy lacks the erasure except for its tombstone; then the subject returns.
      await world.parts.connection.collection('erasures').deleteMany({ ws });
      world.parts.clock.advance(2 * 3_600_000);
      const newcomer = await takeIn(person);
      await consumer().handleRecords([record]);
      await drain(worker(publisher));
      expect(publisher.reports.map(({ srid, erased: whom }) => [srid, whom?.length])).toEqual([
        [order.srid, 1],
        [order.srid, 0],
      ]);
      expect(await newcomer.left()).toBe(7);
    });

    it('waits without the key of its request, and ends unreported once the request is completed', async () => {
      const order = await world.sealedIdentities(ws, person);
      await world.parts.vault.destroy(ws, order.kid, 'request');
      const publisher = watched(() => Promise.resolve(0));
      await consumer().handleRecords([started(order)]);
      await drain(worker(publisher));
      await erasures().due(order, 'now');
      expect(await world.stores.erasures.claimDue(world.parts.clock.now(), 10)).toHaveLength(1);
      await erasures().complete(order);
      await drain(worker(publisher));
      expect(publisher.reports).toEqual([]);
      await erasures().due(order, 'now');
      expect(await world.stores.erasures.claimDue(world.parts.clock.now(), 10)).toEqual([]);
    });

    it('asks the store nothing about the end of a request that it saw start, and has no part in', async () => {
      const order = await world.sealedIdentities(ws, person);
      const [seeing, end] = [consumer(), erasures().completed(order)];
      await seeing.handleRecords([started(order, { type: 'access' })]);
      const asking = jest.spyOn(world.parts.connection.collection('erasures'), 'updateOne');
      expect(await seeing.handleRecords([end])).toEqual(['skip']);
      expect(asking).not.toHaveBeenCalled();
      expect(await consumer().handleRecords([end])).toEqual(['done']);
      expect(asking).toHaveBeenCalledTimes(1);
      asking.mockRestore();
    });

    it('ignores other requests, and erasures without ingestion as participant', async () => {
      const order = await world.sealedIdentities(ws, person);
      expect(
        await consumer().handleRecords([
          started(order, { type: 'access' }),
          started(order, { participants: ['results'] }),
        ]),
      ).toEqual(['skip', 'skip']);
      expect(await world.stores.erasures.claimDue(world.parts.clock.now(), 10)).toEqual([]);
    });

    it(
      'continues after a crash at any of its writes',
      async () => {
        const faults = new Faults();
        let crashes = 0;
        for (let write = 1; ; write += WRITES_BETWEEN_DEATHS) {
          ws = `crash${write}`;
          const erased = await takeIn(person);
          await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
          const dying = await erasures().dying(watched(erased.left, faults), faults);
          faults.dieAt(write);
          await erasures().run(dying);
          const survived = !faults.dead;
          faults.dieAt(Infinity);
          world.parts.clock.advance(LEASE_MS);
          const publisher = watched(erased.left);
          await drain(worker(publisher));
          expect({ write, left: await erased.left(), early: publisher.reports.filter(({ left }) => left > 0) }).toEqual(
            { write, left: 0, early: [] },
          );
          if (survived) break;
          expect(publisher.reports).toHaveLength(1);
          crashes += 1;
        }
        // Claim, subjects twice; links, hashes, profile, tombstone, key, links, hashes, identities, batches; done once.
        // Claim; links, hashes, profile, key, links, hashes, identities; report, done.
        expect(crashes).toBe(Math.ceil(25 / WRITES_BETWEEN_DEATHS));
      },
      CRASHES_MS,
    );

    it('retries while the event log is away', async () => {
      const erased = await takeIn(person);
      await consumer().handleRecords([started(await world.sealedIdentities(ws, person))]);
      world.publisher.away = true;
      for (let round = 0; round < 3; round += 1) {
        await worker(world.publisher).runOnce();
        world.parts.clock.advance(SECOND_PASS_MS);
      }
      // No key is deleted before its tombstone is acknowledged.
      expect(await erased.left()).toBe(6);
      world.publisher.away = false;
      await drain(worker(world.publisher));
      expect(await erased.left()).toBe(0);
      const reports = (await world.records(TOPICS.participantReports.name, 1)).filter(
        (record) => participantReports.decode(record).ws === ws,
      );
      expect(reports).toHaveLength(1);
    });
  });
}
