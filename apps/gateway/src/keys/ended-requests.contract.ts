import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { messageId, requestKey, type Identity, type RequestType } from '@opendsr-service/contracts';
import { ManualClock } from '@opendsr-service/service';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { Faults } from '@opendsr-service/storage/testing';
import { openVault, type Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import type { RequestDocument } from '../admission/request.document';
import { requestsCollection } from '../admission/requests-collection.store';
import { AdmissionsStore } from '../admission/admissions.store';
import { EndedHere } from '../admission/ended-here';
import { personIndex, sealingKeys, sealIntake } from '../admission/sealing';
import { EndedPersonsStore } from './ended-persons.store';
import { EndedRequestsWorker } from './ended-requests.worker';
import { RequestKeysStore } from './request-keys.store';

const HOUR_MS = 3_600_000;
const KEEP_MS = 30 * 24 * HOUR_MS;
const KEEP_ERASED_MS = 24 * HOUR_MS;
const LEASE_MS = 60_000;
const OWN_RECORDING_MS = 300_000;

interface Asked {
  readonly ws?: string;
  readonly type?: RequestType;
  readonly url?: string;
}

/** What an erasure does to the keys of the same person's ended requests (decision 4), on every store. */
export function endedRequestsContract(name: string, open: () => Promise<Storage>): void {
  describe(`requests that have ended on ${name}`, () => {
    let storage: Storage;
    let connection: Connection;
    let vault: Vault;
    let clock: ManualClock;
    let store: AdmissionsStore;
    let keys: RequestKeysStore;
    let ws = '';
    let ann: Identity;

    beforeAll(async () => {
      storage = await open();
      clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
      ({ vault } = await openVault(
        await storage.database('keys'),
        { masterKey: createSecretKey(randomBytes(32)) },
        () => clock.now().getTime(),
        { available: true, publish: () => Promise.resolve() },
      ));
      connection = await storage.database('gateway');
      [store, keys] = [new AdmissionsStore(connection, 5_000), new RequestKeysStore(connection, KEEP_MS)];
      await ensureIndexes(connection);
    });
    beforeEach(() => {
      ws = randomUUID();
      ann = { type: 'email', value: `${ws}@example.com` };
    });
    afterAll(() => storage.close());

    const workerOn = (on: Connection, keepErasedMs = KEEP_ERASED_MS, here = new EndedHere()) =>
      new EndedRequestsWorker({
        keys: new RequestKeysStore(on, KEEP_MS),
        persons: new EndedPersonsStore(on),
        vault,
        clock,
        keepErasedMs,
        here,
      });
    const note = async (worker = workerOn(connection)) => {
      while ((await worker.runOnce()) > 0);
    };
    const find = async ({ ws: of, srid }: RequestDocument) => (await store.find(of, srid)) as RequestDocument;
    const entries = () => connection.collection('endedPersons').countDocuments({ ws });
    const later = (ms: number, from = clock.now()) => new Date(from.getTime() + ms);

    async function admit(
      identities: readonly Identity[],
      { ws: of = ws, type = 'access', url }: Asked = {},
    ): Promise<RequestDocument> {
      const [srid, now] = [randomUUID(), clock.now()];
      const intake = {
        srid,
        type,
        submittedTime: now,
        groupId: null,
        identities,
        callbackUrls: url === undefined ? [] : [url],
      };
      const admitted = await store.admit({
        _id: requestKey(of, srid),
        ws: of,
        srid,
        controllerId: 'c',
        apiVersion: '2.0',
        type,
        submittedTime: now,
        receivedAt: now,
        expectedAt: now,
        startAt: now,
        ...sealIntake(await sealingKeys(vault, of), of, intake),
        fingerprint: srid,
      });
      if (typeof admitted === 'string') throw new Error(`refused: ${admitted}`);
      return admitted;
    }
    const hear = ({ ws: of, srid }: RequestDocument, v: number, commandSeq: number, end?: Date) =>
      store.acknowledge({ ws: of, srid, v, commandSeq, ...(end && { keyDueAt: later(KEEP_MS, end) }) });

    /** Decides that a request is completed; its last event does not come back yet. */
    async function complete(request: RequestDocument): Promise<Date> {
      await store.start(request, clock.now());
      for (const v of [1, 2]) await hear(request, v, v);
      await store.complete({ ws: request.ws, srid: request.srid, v: 3, commandSeq: 2 }, clock.now());
      return clock.now();
    }
    async function completed(identities: readonly Identity[], asked?: Asked): Promise<RequestDocument> {
      const request = await admit(identities, asked);
      const end = await complete(request);
      await hear(request, 4, 3, end);
      clock.advance(HOUR_MS);
      return request;
    }
    const erased = (identities: readonly Identity[] = [ann]) => completed(identities, { type: 'erasure' });
    async function cancelled(identities: readonly Identity[]): Promise<RequestDocument> {
      const request = await admit(identities);
      await store.cancel(ws, request.srid, clock.now());
      await hear(request, 1, 1);
      await hear(request, 2, 2, clock.now());
      return request;
    }
    const dueOf = async (request: RequestDocument) => (await find(request)).keyDueAt;
    const endOf = async (request: RequestDocument) => (await find(request)).completedAt as Date;

    it('have their keys due soon after an erasure of the same data subject, like the erasure itself', async () => {
      const other: Identity = { type: 'email', value: 'bob@example.com' };
      const [before, given, both] = [await completed([ann]), await cancelled([ann]), await completed([other, ann])];
      const [stranger, elsewhere, running] = [
        await completed([other]),
        await completed([ann], { ws: randomUUID() }),
        await admit([ann]),
      ];
      await store.start(running, clock.now());
      await note();
      expect(await dueOf(before)).toEqual(later(KEEP_MS, await endOf(before)));
      const erasure = await erased();
      await note();
      const by = later(KEEP_ERASED_MS, await endOf(erasure));
      for (const request of [before, given, both, erasure])
        expect(await find(request)).toMatchObject({ keyDueAt: by, keyDueSince: by, keyDueBy: by });
      for (const request of [stranger, elsewhere])
        expect(await dueOf(request)).toEqual(later(KEEP_MS, await endOf(request)));
      expect(await find(running)).not.toHaveProperty('keyDueBy');
    });

    it('are found by any identity in common with the erasure, also among a thousand', async () => {
      const many = Array.from({ length: 1_000 }, (_, n): Identity => ({ type: 'other', value: `${ws}-${n}` }));
      const before = await completed([ann, ...many]);
      const erasure = await erased(many.slice(-1));
      await note();
      expect(await dueOf(before)).toEqual(later(KEEP_ERASED_MS, await endOf(erasure)));
    });

    it('keep their keys no longer than without an erasure', async () => {
      const before = await completed([ann]);
      await erased();
      await note(workerOn(connection, 2 * KEEP_MS));
      expect(await dueOf(before)).toEqual(later(KEEP_MS, await endOf(before)));
    });

    it('keep their keys until their destinations are settled, and then only as long as the erasure allows', async () => {
      const before = await completed([ann], { url: 'https://dead.example' });
      const erasure = await erased();
      await note();
      expect(await find(before)).not.toHaveProperty('keyDueAt');
      await keys.settleDestination({ ws, srid: before.srid, destination: before.openDestinations?.[0] as string });
      expect(await dueOf(before)).toEqual(later(KEEP_ERASED_MS, await endOf(erasure)));
    });

    it('have their keys due in time even if the last event comes after the erasure was recorded', async () => {
      const erasure = await admit([ann], { type: 'erasure' });
      const end = await complete(erasure);
      await note();
      await hear(erasure, 4, 3, end);
      expect(await dueOf(erasure)).toEqual(later(KEEP_ERASED_MS, end));
    });

    it('are found by a later erasure even if they are recorded after it, and not by an earlier one', async () => {
      const before = await completed([ann]);
      await requestsCollection(connection).updateOne({ _id: before._id }, { $set: { personsAt: later(3 * HOUR_MS) } });
      const erasure = await erased();
      const after = await completed([ann]);
      await note();
      expect(await find(before)).toHaveProperty('personsAt');
      clock.advance(3 * HOUR_MS);
      await note();
      expect(await dueOf(before)).toEqual(later(KEEP_ERASED_MS, await endOf(erasure)));
      expect(await dueOf(after)).toEqual(later(KEEP_MS, await endOf(after)));
    });

    it('reach the same state wherever the recording process dies', async () => {
      const before = await completed([ann]);
      await note();
      for (const write of [2, 3, 4, 5]) {
        const [erasure, faults] = [await erased(), new Faults()];
        faults.dieAt(write);
        await expect(workerOn(faults.connection(connection)).runOnce()).rejects.toThrow('planted crash');
        clock.advance(LEASE_MS);
        await note();
        expect(await find(erasure)).toMatchObject({ keyDueAt: later(KEEP_ERASED_MS, await endOf(erasure)) });
        expect(await find(erasure)).not.toHaveProperty('personsAt');
      }
      expect(await find(before)).toHaveProperty('keyDueBy');
    });

    it('are recorded even if the claim expired meanwhile and another gateway has it', async () => {
      const request = await completed([ann]);
      const claimOf = async () =>
        (await keys.claimEnded(clock.now())).find(({ document }) => document.srid === request.srid);
      const late = await claimOf();
      clock.advance(LEASE_MS);
      expect(await claimOf()).toBeDefined();
      await keys.personsRecorded(late?.document as RequestDocument);
      expect(await find(request)).not.toHaveProperty('personsAt');
    });

    it('share the writes and queries of a page of requests, and of a page of their data subjects', async () => {
      const many = Array.from({ length: 450 }, (_, n): Identity => ({ type: 'other', value: `${ws}-${n}` }));
      const requests = [many, [ann], many, ...Array.from({ length: 30 }, () => [ann])];
      for (const identities of requests) await completed(identities);
      const writing = jest.spyOn(connection.collection('endedPersons'), 'bulkWrite');
      const finding = jest.spyOn(connection.collection('endedPersons'), 'find');
      const noting = jest.spyOn(connection.collection('requests'), 'bulkWrite');
      await note();
      expect(await entries()).toBe(2 * 450 + 31);
      expect(writing.mock.calls.length).toBeLessThan(12);
      expect(finding.mock.calls.length).toBeLessThan(12);
      expect(Math.max(...writing.mock.calls.map(([writes]) => writes.length))).toBeLessThanOrEqual(500);
      expect(noting.mock.calls.map(([writes]) => writes.length)).toEqual(noting.mock.calls.map(() => 1));
      for (const spy of [writing, finding, noting]) spy.mockRestore();
    });

    it('are read only for a later erasure, page by page, also if many name the same data subject', async () => {
      const COUNT = 450;
      const [persons, person] = [new EndedPersonsStore(connection), personIndex(await vault.index(ws), ann)];
      for (let n = 0; n < COUNT; n += 1)
        await persons.record({ ws, srid: `${ws}-${n}`, endedAt: later(n - COUNT) }, [person]);
      const hastened = jest.spyOn(keys, 'bringForward');
      const worker = new EndedRequestsWorker({
        ...{ keys, persons, vault, clock, keepErasedMs: KEEP_ERASED_MS, here: new EndedHere() },
      });
      const before = await completed([ann]);
      await note(worker);
      expect(hastened).not.toHaveBeenCalled();
      const erasure = await erased();
      await note(worker);
      const pages = hastened.mock.calls.map(([, srids]) => srids);
      expect(pages.map(({ length }) => length)).toEqual([200, 200, 52]);
      expect(new Set(pages.flat())).toEqual(
        new Set([before.srid, erasure.srid, ...Array.from({ length: COUNT }, (_, n) => `${ws}-${n}`)]),
      );
      hastened.mockRestore();
    });

    it('are handled without a claim by the gateway that ended them, and by another after its time', async () => {
      const here = new EndedHere();
      const ending = workerOn(connection, KEEP_ERASED_MS, here);
      const plain = store;
      store = new AdmissionsStore(connection, 5_000, { endedRequests: here });
      const requests = [await cancelled([ann]), await admit([ann])];
      for (const request of requests.slice(1)) await complete(request);
      store = plain;
      expect(await workerOn(connection).runOnce()).toBe(0);
      const claiming = jest.spyOn(connection.collection('requests'), 'updateMany');
      expect(await ending.runOnce()).toBe(2);
      expect(claiming).not.toHaveBeenCalled();
      claiming.mockRestore();
      expect(await entries()).toBe(2);
      for (const request of requests) expect(await find(request)).not.toHaveProperty('personsAt');

      store = new AdmissionsStore(connection, 5_000, { endedRequests: { add: () => undefined } });
      await cancelled([ann]);
      store = plain;
      clock.advance(OWN_RECORDING_MS - 1);
      expect(await ending.runOnce()).toBe(0);
      clock.advance(1);
      expect(await ending.runOnce()).toBe(1);
      expect(await entries()).toBe(3);
    });

    it('of another gateway are claimed also while each run finds some that this one has ended', async () => {
      const here = new EndedHere();
      const ending = workerOn(connection, KEEP_ERASED_MS, here);
      const plain = store;
      const ofAnother = await completed([ann]);
      store = new AdmissionsStore(connection, 5_000, { endedRequests: here });
      const own = await cancelled([ann]);
      store = plain;
      expect(await ending.runOnce()).toBe(2);
      for (const request of [ofAnother, own]) expect(await find(request)).not.toHaveProperty('personsAt');
    });

    it('leave no entries if their key is destroyed while a gateway records them and dies', async () => {
      const request = await completed([ann]);
      clock.advance(KEEP_MS);
      const faults = new Faults();
      // The claim is the first write, the persons are the second.
      faults.dieAt(3);
      await expect(workerOn(faults.connection(connection)).runOnce()).rejects.toThrow('planted crash');
      const [person] = await connection.collection('endedPersons').find({ ws }).toArray();
      const claim = (await keys.claimDue(clock.now())).find(({ document }) => document.srid === request.srid);
      if (!claim || !person) throw new Error('nothing was claimed or noted');
      await vault.destroy(ws, request.kid, 'request');
      await keys.recordKeyGone(claim, clock.now());
      // What was on its way arrives late.
      await connection.collection('endedPersons').insertOne(person);
      clock.advance(LEASE_MS);
      await note();
      expect(await entries()).toBe(0);
      expect(await find(request)).not.toHaveProperty('personsAt');
    });

    it('leave no entries if a gateway has recorded them while another records that their key is destroyed', async () => {
      const request = await completed([ann]);
      clock.advance(KEEP_MS);
      const claim = (await keys.claimDue(clock.now())).find(({ document }) => document.srid === request.srid);
      if (!claim) throw new Error('nothing was claimed');
      await vault.destroy(ws, request.kid, 'request');
      const entry = { ws, srid: request.srid, endedAt: clock.now() };
      const persons = connection.collection('endedPersons');
      const remove = persons.deleteMany.bind(persons);
      const removing = jest.spyOn(persons, 'deleteMany').mockImplementationOnce(async (...args) => {
        const removed = await remove(...args);
        await new EndedPersonsStore(connection).record(entry, ['a keyed hash']);
        await keys.personsRecorded(request);
        return removed;
      });
      expect(await keys.recordKeyGone(claim, clock.now())).toBe(true);
      removing.mockRestore();
      expect(await entries()).toBe(0);
      expect(await find(request)).not.toHaveProperty('personsAt');
    });

    it('are recorded by keyed hashes, for as long as their keys exist', async () => {
      const [one, two] = [await completed([ann]), await completed([ann])];
      await note();
      expect(await entries()).toBe(2);
      expect(JSON.stringify(await connection.collection('endedPersons').find({ ws }).toArray())).not.toContain(
        'example.com',
      );
      clock.advance(KEEP_MS);
      const claims = await keys.claimDue(clock.now());
      for (const claim of claims.filter(({ document }) => document.srid === one.srid))
        await keys.recordKeyGone(claim, clock.now());
      expect(await entries()).toBe(1);
      await keys.applyTombstones([
        {
          type: 'KeyDestroyed',
          id: messageId(two.kid),
          ws,
          kid: two.kid,
          scope: 'request',
          at: clock.now().toISOString(),
        },
      ]);
      expect(await entries()).toBe(0);
      for (const request of [one, two]) expect(await find(request)).not.toHaveProperty('keyDueBy');
    });
  });
}
