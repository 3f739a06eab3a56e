import { evidenceLeaves, TOPICS } from '@opendsr-service/contracts';
import type { EventLog } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock } from '@opendsr-service/service';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import { AuditStore } from '../audit/audit.store';
import { leafKey, leafVault } from '../testing/leaves';
import { openLoggedDatabase } from '../testing/logged-database';
import { auditedOf } from './audited-evidence.store';
import { EntriesWithLeafStore } from './entries-with-leaf.store';
import { auditedLeaf } from './audited-leaves';
import { AuditedLeavesWorker } from './audited-leaves.worker';
import { EvidenceLeaves } from './evidence-leaves';
import { LeavesStore } from './leaves.store';

const START = new Date('2026-11-21T09:00:00Z');
const LONG_AGO = new Date('2026-01-05T10:00:00Z');
const MINUTE_MS = 60_000;

/** The leaves of the audit trail whose publication failed, on every store. */
export function auditedLeavesContract(name: string, open: () => Promise<Storage>): void {
  describe(`the leaves of the audit trail on ${name}`, () => {
    let storage: Storage;
    let connection: Connection;
    let close: () => Promise<void>;
    let log: EventLog;
    let publisher: SwitchedPublisher;
    let clock: ManualClock;
    let worker: AuditedLeavesWorker;

    beforeAll(async () => {
      storage = await open();
    });
    afterAll(() => storage.close());
    beforeEach(async () => {
      ({ connection, log, close } = await openLoggedDatabase(storage, 'audited'));
      [publisher, clock] = [new SwitchedPublisher(log.publisher), new ManualClock(START)];
      new AuditStore(connection);
      new LeavesStore(connection);
      await ensureIndexes(connection);
      worker = process();
    });
    afterEach(() => close());

    const process = () =>
      new AuditedLeavesWorker({
        ...{ entries: new EntriesWithLeafStore(connection), leaves: new LeavesStore(connection), publisher, clock },
        leafKey,
      });
    /** What each of those who add such an entry writes: the operator’s API, and `dsr`. */
    const entry = {
      drop: { action: 'parked-drop-asked', record: 'r', by: 'ops', because: 'it is odd' },
      dropByApi: {
        ...{ action: 'parked-drop-asked', record: 'r', by: 'ann', because: 'b' },
        role: 'operator',
        service: 'results',
      },
      shown: { action: 'identities-shown', by: 'ops' },
      revealed: { action: 'identities-revealed', by: 'ann', role: 'officer', reason: 'sealed', approvedBy: 'eve' },
    } as const;
    const add = async (_id: string, said: object, at = LONG_AGO) =>
      void (await connection.collection<{ _id: string }>('audit').insertOne({
        ...{ _id, ws: 'acme', srid: 's', ...said, at },
      }));
    const digests = async () => {
      const found: string[] = [];
      await log.read(TOPICS.evidenceLeaves.name, {}, (records) => {
        found.push(...records.map((record) => evidenceLeaves(leafKey).decode(record).digest));
        return Promise.resolve();
      });
      return found;
    };
    /** Takes what the event log holds, as the gateway does. */
    const take = () =>
      new EvidenceLeaves({
        ...{ leaves: new LeavesStore(connection), attestations: { bringBack: () => Promise.resolve() } },
        ...{ vault: leafVault, events: log, clock },
      }).catchUp();

    it('are published where they are not there, for whoever added the entry, with the digests of an audit', async () => {
      for (const [id, said] of Object.entries(entry)) await add(id, said);
      await add('of no workspace', { ...entry.drop, ws: '', srid: '' });
      await add('without a leaf', { action: 'parked-redrive-asked', by: 'ops', because: 'b' });
      await add('read', { action: 'identities-read', participant: 'crm' });
      expect(await worker.runOnce()).toBe(5);
      const wanted: string[] = [];
      for await (const { digest } of auditedOf(connection)) wanted.push(digest);
      expect((await digests()).sort()).toEqual(wanted.sort());
      await take();
      expect([await worker.runOnce(), await process().runOnce(), (await digests()).length]).toEqual([0, 0, 5]);
    });

    it('are left to who added the entry for a minute, and wait for an event log that is away', async () => {
      await add('young', entry.shown, START);
      await log.publisher.publish(TOPICS.evidenceLeaves.name, [
        auditedLeaf('there', { ...entry.drop, ws: 'acme', srid: 's', at: LONG_AGO }, leafKey),
      ]);
      await take();
      await add('there', entry.drop);
      expect(await worker.runOnce()).toBe(0);
      clock.advance(MINUTE_MS);
      publisher.away = true;
      expect(await worker.runOnce()).toBe(0);
      [publisher.away, publisher.slow] = [false, true];
      await expect(worker.runOnce()).rejects.toThrow();
      publisher.slow = false;
      expect([await worker.runOnce(), (await digests()).length]).toEqual([1, 2]);
    });

    it('are searched for once in the whole audit trail, then among the entries of the last hour', async () => {
      await add('old', entry.shown);
      await worker.runOnce();
      await add('late', entry.shown, new Date(START.getTime() - 30 * MINUTE_MS));
      await add('older', entry.shown, new Date(LONG_AGO.getTime() + 1));
      await take();
      expect(await worker.runOnce()).toBe(1);
      await take();
      expect([await worker.runOnce(), await process().runOnce()]).toEqual([0, 1]);
    });

    it('are searched for also after a clock that was ahead is set back', async () => {
      clock.advance(24 * 60 * MINUTE_MS);
      await worker.runOnce();
      clock.advance(-24 * 60 * MINUTE_MS);
      await add('later', entry.shown, new Date(START.getTime() - 2 * MINUTE_MS));
      await worker.runOnce();
      expect(await worker.runOnce()).toBe(1);
    });
  });
}
