import { randomUUID } from 'node:crypto';
import { messageId, requestKey, type KeyDestroyed, type KeyScope } from '@opendsr-service/contracts';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import type { Collection } from 'mongoose';
import type { NewRequest } from '../admission/commands';
import type { RequestDocument } from '../admission/request.document';
import { requestsCollection } from '../admission/requests-collection.store';
import { AdmissionsStore } from '../admission/admissions.store';
import { RequestKeysStore } from './request-keys.store';

const at = new Date('2026-11-21T09:00:00Z');
const later = (ms: number) => new Date(at.getTime() + ms);
const KEEP_MS = 10_000;
const PAGE = 200;
const LEASE_MS = 60_000;

/**
 * The rules of a request's own key that hold for every store (decision 4), whatever comes last: the end or a settled
 * destination.
 */
export function requestKeysContract(name: string, open: () => Promise<Storage>): void {
  describe(`keys of requests on ${name}`, () => {
    let storage: Storage;
    let store: AdmissionsStore;
    let keys: RequestKeysStore;
    let requests: Collection<RequestDocument>;
    let endedPersons: Collection;
    let ws = '';

    beforeAll(async () => {
      storage = await open();
      const connection = await storage.database('gateway');
      store = new AdmissionsStore(connection, 5_000);
      keys = new RequestKeysStore(connection, KEEP_MS);
      requests = requestsCollection(connection);
      endedPersons = connection.collection('endedPersons');
      await ensureIndexes(connection);
    });
    beforeEach(() => {
      ws = randomUUID();
    });
    afterAll(() => storage.close());

    const find = async (srid: string) => (await store.find(ws, srid)) as RequestDocument;
    const settle = (srid: string, destination: string) => keys.settleDestination({ ws, srid, destination });

    const request = (srid: string, destinations: readonly string[]): NewRequest => ({
      _id: requestKey(ws, srid),
      ws,
      srid,
      controllerId: 'c',
      apiVersion: '2.0',
      type: 'access',
      submittedTime: at,
      receivedAt: at,
      expectedAt: at,
      startAt: at,
      groupId: null,
      kid: `kid-${srid}`,
      fingerprint: srid,
      sealed: { identities: 'sealed', callbacks: destinations.map((destination) => ({ destination, url: 'sealed' })) },
    });

    /** A request with these destinations of callbacks. */
    async function admit(destinations: readonly string[]): Promise<string> {
      const srid = randomUUID();
      await store.admit(request(srid, destinations));
      return srid;
    }

    /** All events but the last, which `end` applies. */
    async function cancel(srid: string): Promise<void> {
      await store.cancel(ws, srid, at);
      await store.acknowledge({ ws, srid, v: 1, commandSeq: 1 });
    }
    async function complete(srid: string): Promise<void> {
      await store.start(await find(srid), at);
      for (const v of [1, 2]) await store.acknowledge({ ws, srid, v, commandSeq: v });
      await store.complete({ ws, srid, v: 3, commandSeq: 2 }, at);
    }
    const end = async (srid: string) => {
      const { v, seq } = await find(srid);
      return store.acknowledge({ ws, srid, v: v + 1, commandSeq: seq, keyDueAt: later(KEEP_MS) });
    };
    const ways = { cancelled: cancel, completed: complete };

    describe.each(Object.keys(ways) as (keyof typeof ways)[])('a request that is %s', (way) => {
      it('without callbacks has its key due with its last event, not before', async () => {
        const srid = await admit([]);
        await ways[way](srid);
        expect(await find(srid)).toMatchObject({ status: way, openDestinations: [] });
        expect(await find(srid)).not.toHaveProperty('keyDueAt');
        expect(await end(srid)).toBe(true);
        expect(await find(srid)).toMatchObject({ keyDueAt: later(KEEP_MS), keyDueSince: later(KEEP_MS), outbox: [] });
      });

      it('has its key due with its last settled destination if that comes after its last event', async () => {
        const srid = await admit(['a', 'b']);
        await ways[way](srid);
        expect(await end(srid)).toBe(true);
        expect(await settle(srid, 'a')).toBe(true);
        expect(await find(srid)).toMatchObject({ openDestinations: ['b'], outbox: [] });
        expect(await find(srid)).not.toHaveProperty('keyDueAt');
        expect(await settle(srid, 'b')).toBe(true);
        expect(await find(srid)).toMatchObject({
          openDestinations: [],
          keyDueAt: later(KEEP_MS),
          keyDueSince: later(KEEP_MS),
        });
      });

      it('has its key due with its last event if all destinations settled before', async () => {
        const srid = await admit(['a']);
        await ways[way](srid);
        expect(await settle(srid, 'a')).toBe(true);
        expect(await find(srid)).not.toHaveProperty('keyDueAt');
        expect(await end(srid)).toBe(true);
        expect(await find(srid)).toMatchObject({ openDestinations: [], keyDueAt: later(KEEP_MS) });
      });
    });

    it('are kept while a request has not ended, even if its destinations are settled', async () => {
      const srid = await admit(['a']);
      expect(await settle(srid, 'a')).toBe(true);
      await store.acknowledge({ ws, srid, v: 1, commandSeq: 1 });
      expect(await find(srid)).toMatchObject({ status: 'pending', openDestinations: [], outbox: [] });
      expect(await find(srid)).not.toHaveProperty('keyDueAt');
    });

    it('do not change by a destination that is settled already, unknown, or of an unknown request', async () => {
      const srid = await admit(['a', 'b']);
      await settle(srid, 'a');
      const before = await find(srid);
      expect([await settle(srid, 'a'), await settle(srid, 'c'), await settle(randomUUID(), 'b')]).toEqual([
        false,
        false,
        false,
      ]);
      expect(await keys.settleDestination({ ws: randomUUID(), srid, destination: 'b' })).toBe(false);
      expect(await find(srid)).toEqual(before);
    });

    it('are due even if the last event comes between the read and the write of the last destination', async () => {
      const srid = await admit(['a']);
      await cancel(srid);
      const read = requests.findOne.bind(requests);
      const spy = jest.spyOn(requests, 'findOne').mockImplementationOnce(async (...args: Parameters<typeof read>) => {
        const seen = await read(...args);
        await end(srid);
        return seen;
      });
      expect(await settle(srid, 'a')).toBe(true);
      spy.mockRestore();
      expect(await find(srid)).toMatchObject({ openDestinations: [], outbox: [], keyDueAt: later(KEEP_MS) });
    });

    it('are due after each of many races of the last event with the last destinations', async () => {
      const srids = await Promise.all(Array.from({ length: 100 }, () => admit(['a', 'b'])));
      await Promise.all(
        srids.map(async (srid, n) => {
          await cancel(srid);
          // An event may be applied though the store cannot say so; the documents below show that it was.
          const ends = () => end(srid).then(() => true);
          const race = [ends, () => settle(srid, 'a'), () => settle(srid, 'b')];
          const turned = [...race.slice(n % 3), ...race.slice(0, n % 3)];
          expect(await Promise.all(turned.map((step) => step()))).toEqual([true, true, true]);
        }),
      );
      for (const srid of srids)
        expect(await find(srid)).toMatchObject({ openDestinations: [], outbox: [], keyDueAt: later(KEEP_MS) });
    });

    describe('destruction', () => {
      const claim = async (srid: string, now: Date) =>
        (await keys.claimDue(now)).find(({ document }) => document.srid === srid);
      const ended = async () => {
        const srid = await admit([]);
        await cancel(srid);
        await end(srid);
        return srid;
      };

      it('is claimed when it is due, by one of two gateways, and again once that claim has run out', async () => {
        const srid = await ended();
        expect(await claim(srid, later(KEEP_MS - 1))).toBeUndefined();
        const claims = await Promise.all([claim(srid, later(KEEP_MS)), claim(srid, later(KEEP_MS))]);
        expect(claims.filter(Boolean)).toHaveLength(1);
        expect(await claim(srid, later(KEEP_MS + LEASE_MS - 1))).toBeUndefined();
        expect(await claim(srid, later(KEEP_MS + LEASE_MS))).toBeDefined();
      });

      it('is claimed with what its worker needs, and without what the key sealed', async () => {
        const srid = await ended();
        expect((await claim(srid, later(KEEP_MS)))?.document).toEqual({
          ...{ _id: requestKey(ws, srid), ws, srid, kid: `kid-${srid}`, status: 'cancelled', cancelledAt: at },
          ...{ openDestinations: [], outbox: [] },
        });
      });

      it('removes the sealed fields from the document, only by the last claimant', async () => {
        const srid = await ended();
        const [late, last] = [await claim(srid, later(KEEP_MS)), await claim(srid, later(KEEP_MS + LEASE_MS))];
        if (!late || !last) throw new Error('nothing was claimed');
        expect(await keys.recordKeyGone(late, later(KEEP_MS + LEASE_MS))).toBe(false);
        expect(await keys.recordKeyGone(last, later(KEEP_MS + LEASE_MS))).toBe(true);
        const gone = await find(srid);
        expect(gone).toMatchObject({ status: 'cancelled', keyGoneAt: later(KEEP_MS + LEASE_MS) });
        for (const field of ['sealed', 'keyDueAt', 'keyDueSince', 'keyToken']) expect(gone).not.toHaveProperty(field);
        expect(await claim(srid, later(10 * LEASE_MS))).toBeUndefined();
      });
    });

    describe('tombstones', () => {
      const tombstone = (kid: string, scope: KeyScope = 'request', of = ws): KeyDestroyed => ({
        type: 'KeyDestroyed',
        id: messageId(kid),
        ws: of,
        kid,
        scope,
        at: later(1).toISOString(),
      });

      it('stop a request of an older copy from being read, started or published again', async () => {
        const srid = await admit(['a']);
        await keys.applyTombstones([tombstone(`kid-${srid}`)]);
        const gone = await find(srid);
        expect(gone).toMatchObject({ keyGoneAt: later(1), outbox: [] });
        for (const field of ['sealed', 'fingerprint', 'startAt', 'outboxAt', 'outboxSince', 'tries'])
          expect(gone).not.toHaveProperty(field);
        expect(JSON.stringify(gone)).not.toContain('sealed');
        expect(await store.start({ ...gone, startAt: at }, at)).toBeNull();
        await keys.applyTombstones([tombstone(`kid-${srid}`)]);
        expect(await find(srid)).toEqual(gone);
      });

      it('allow a new request with the fingerprint that an older copy has in progress', async () => {
        const [first, again] = [await admit([]), randomUUID()];
        const same = () => store.admit({ ...request(again, []), fingerprint: first });
        expect(await same()).toBe('same-in-progress');
        await keys.applyTombstones([tombstone(`kid-${first}`)]);
        expect(await same()).toMatchObject({ srid: again, status: 'pending' });
      });

      it('of other keys, of another workspace or of another kind change nothing', async () => {
        const srid = await admit(['a']);
        const before = await find(srid);
        await keys.applyTombstones([]);
        await keys.applyTombstones([
          tombstone('unknown'),
          tombstone(`kid-${srid}`, 'archive'),
          tombstone(`kid-${srid}`, 'request', randomUUID()),
        ]);
        expect(await find(srid)).toEqual(before);
      });

      it('write nothing when they are applied again at the next start', async () => {
        const srids = await Promise.all(Array.from({ length: 3 }, () => admit([])));
        const apply = () => keys.applyTombstones(srids.map((srid) => tombstone(`kid-${srid}`)));
        const writes = [jest.spyOn(requests, 'bulkWrite'), jest.spyOn(endedPersons, 'deleteMany')];
        await apply();
        expect(writes.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
        await apply();
        expect(writes.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
        for (const spy of writes) spy.mockRestore();
      });

      it('are all applied when they fill a page', async () => {
        const srids = await Promise.all(Array.from({ length: PAGE }, () => admit([])));
        await keys.applyTombstones(srids.map((srid) => tombstone(`kid-${srid}`)));
        for (const srid of srids) expect(await find(srid)).toMatchObject({ keyGoneAt: later(1) });
      });
    });
  });
}
