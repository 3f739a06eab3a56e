import { randomUUID } from 'node:crypto';
import { requestKey } from '@opendsr-service/contracts';
import { ensureIndexes, type Claimed } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { RequestKeysStore, type DueKey } from '../keys/request-keys.store';
import type { NewRequest } from '../admission/commands';
import type { RequestDocument } from '../admission/request.document';
import { AdmissionsStore } from '../admission/admissions.store';
import { AdmissionMeasures } from './admission-measures.store';

const at = new Date('2026-11-21T09:00:00Z');
const later = (ms: number) => new Date(at.getTime() + ms);
const RESEND_MS = 5_000;
const MANY = 1_000;
const KEEP_MS = 10_000;
const LEASE_MS = 60_000;
const ws = 'acme';

/** What the gateway's measures say, on every store. */
export function requestMeasuresContract(name: string, database: TestDatabase): void {
  describe(`measures of requests on ${name}`, () => {
    let connection: Connection;
    let store: AdmissionsStore;
    let measures: AdmissionMeasures;
    const admit = async (change: Partial<NewRequest> = {}): Promise<RequestDocument> => {
      const srid = randomUUID();
      const fresh = {
        _id: requestKey(ws, srid),
        ws,
        srid,
        controllerId: 'c',
        apiVersion: '2.0',
        type: 'access',
        submittedTime: at,
        receivedAt: at,
        startAt: later(60_000),
        expectedAt: later(90_000),
        groupId: null,
        kid: 'k',
      } as const;
      return (await store.admit({
        ...fresh,
        fingerprint: srid,
        sealed: { identities: 'sealed', callbacks: [] },
        ...change,
      })) as RequestDocument;
    };

    /** Cancels a request, whose key is due once it was kept long enough. */
    const ended = async (): Promise<RequestKeysStore> => {
      const { srid } = await admit();
      await store.cancel(ws, srid, at);
      for (const v of [1, 2])
        await store.acknowledge({ ws, srid, v, commandSeq: v, ...(v === 2 && { keyDueAt: later(KEEP_MS) }) });
      return new RequestKeysStore(connection, KEEP_MS);
    };
    beforeAll(async () => {
      connection = await database.open();
      store = new AdmissionsStore(connection, RESEND_MS);
      measures = new AdmissionMeasures(connection);
      await ensureIndexes(connection);
    });
    beforeEach(() => connection.collection('requests').deleteMany({}));
    afterAll(() => database.close());

    it('find the longest overdue start, and none before its time', async () => {
      await admit();
      await admit({ startAt: later(50_000) });
      expect(await measures.oldestDueStart(later(49_999))).toBeUndefined();
      expect(await measures.oldestDueStart(later(120_000))).toEqual(later(50_000));
    });

    it('find the longest overdue destruction of a key regardless of claims, and none once it is done', async () => {
      const keys = await ended();
      expect(await measures.oldestDueKey(later(KEEP_MS - 1))).toBeUndefined();
      for (let n = 0; n < 10; n += 1) expect(await keys.claimDue(later(KEEP_MS + n * LEASE_MS))).toHaveLength(1);
      expect(await measures.oldestDueKey(later(KEEP_MS + 9 * LEASE_MS))).toEqual(later(KEEP_MS));
      const [claimed] = await keys.claimDue(later(KEEP_MS + 10 * LEASE_MS));
      await keys.recordKeyGone(claimed as Claimed<DueKey>, later(KEEP_MS + 10 * LEASE_MS));
      expect(await measures.oldestDueKey(later(KEEP_MS + 99 * LEASE_MS))).toBeUndefined();
    });

    it('find when the oldest unanswered command was decided, regardless of the order of resending', async () => {
      expect(await measures.oldestCommand(later(MANY))).toBeUndefined();
      const oldest = await admit({ receivedAt: later(-3_600_000) });
      await store.reschedule(oldest, later(3_600_000));
      const admitBoth = async (receivedAt: Date) => [
        await admit({ receivedAt }),
        await store.reschedule(await admit({ receivedAt }), later(7_200_000)),
      ];
      await Promise.all(Array.from({ length: 210 }, (_, n) => admitBoth(later(n))));
      expect(await measures.oldestCommand(later(MANY))).toEqual(later(-3_600_000));
      await store.acknowledge({ ws, srid: oldest.srid, v: 1, commandSeq: 1 });
      expect(await measures.oldestCommand(later(MANY))).toEqual(at);
    });

    it('find the oldest command of those that remain, and none once all are answered', async () => {
      const { _id, srid, ...admitted } = await admit({ startAt: at });
      await store.start({ _id, srid, ...admitted }, later(500));
      expect(await measures.oldestCommand(later(MANY))).toEqual(at);
      await store.acknowledge({ ws, srid, v: 1, commandSeq: 1 });
      await store.reschedule((await store.find(ws, srid)) as RequestDocument, later(9_000));
      expect(await measures.oldestCommand(later(MANY))).toEqual(later(500));
      await store.acknowledge({ ws, srid, v: 2, commandSeq: 2 });
      expect(await measures.oldestCommand(later(MANY))).toBeUndefined();
      await store.complete({ ws, srid, v: 3, commandSeq: 2 }, later(900));
      expect(await measures.oldestCommand(later(MANY))).toEqual(later(900));
    });

    it('count requests that have not ended by type and status, up to a limit', async () => {
      for (let n = 0; n < 3; n += 1) await admit();
      await store.start(await admit({ startAt: at }), at);
      await store.cancel(ws, (await admit({ type: 'erasure' })).srid, at);
      const done = await admit({ startAt: at });
      await store.start(done, at);
      await store.acknowledge({ ws, srid: done.srid, v: 1, commandSeq: 2 });
      await store.complete({ ws, srid: done.srid, v: 2, commandSeq: 2 }, at);
      expect(await measures.countOpen({ type: 'access', status: 'pending' }, MANY)).toBe(3);
      expect(await measures.countOpen({ type: 'access', status: 'pending' }, 2)).toBe(2);
      expect(await measures.countOpen({ type: 'access', status: 'in_progress' }, MANY)).toBe(1);
      expect(await measures.countOpen({ type: 'erasure', status: 'pending' }, MANY)).toBe(0);
    });

    it('count requests in progress past their expected completion', async () => {
      await admit();
      await store.start(await admit({ startAt: at, expectedAt: later(10) }), at);
      await store.cancel(ws, (await admit({ expectedAt: later(10) })).srid, at);
      expect(await measures.countLate({ type: 'access', status: 'in_progress' }, later(10), MANY)).toBe(0);
      expect(await measures.countLate({ type: 'access', status: 'in_progress' }, later(11), MANY)).toBe(1);
      expect(await measures.countLate({ type: 'access', status: 'pending' }, later(11), MANY)).toBe(0);
    });
  });
}
