import { ensureIndexes, openStorage } from '@opendsr-service/storage';
import type { Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { LogRecord } from '../records';
import { followsParked } from './parking';
import { toLogRecord, type ParkedRecord } from './parked-record';
import { ParkedMeasures } from './parked-measures.store';
import { ParkedStore } from './parked.store';

const record = (key: string, offset: string): LogRecord => ({
  topic: 'events',
  partition: 2,
  offset,
  key,
  value: Buffer.from([0, 255, 1]),
  headers: { 'a.b': '$set', ce_id: '1' },
  timestampMs: 7,
});

/** What the `parked` collection keeps, on every store. */
export function parkedContract(name: string, options: () => Parameters<typeof openStorage>[0]): void {
  describe(`parked records on ${name}`, () => {
    let storage: Storage;
    let connection: Connection;
    let parking: ParkedStore;

    beforeAll(async () => {
      storage = await openStorage(options());
      connection = await storage.database('parking');
      parking = new ParkedStore(connection, () => 1_000);
      await ensureIndexes(connection);
    });

    afterAll(async () => {
      await storage.close();
    });

    it('are found by group, topic and key, also by an empty key', async () => {
      await parking.park('view', record('k1', '10'), 'odd');
      await parking.park('view', record('', '11'), 'odd');
      expect(await parking.parkedKeys('view', 'events', ['k1', 'k2', ''])).toEqual(new Set(['k1', '']));
      expect(await parking.parkedKeys('view', 'others', ['k1'])).toEqual(new Set());
      expect(await parking.parkedKeys('destinations', 'events', ['k1'])).toEqual(new Set());
    });

    it('block nothing if they are parked aside, until another record of that key is parked', async () => {
      const keys = () => parking.parkedKeys('view', 'events', ['k5']);
      await parking.park('view', record('k5', '14'), 'forged', true);
      expect(await keys()).toEqual(new Set());
      await parking.park('view', record('k5', '15'), 'odd');
      expect(await keys()).toEqual(new Set(['k5']));
      const kept = await connection.collection('parked').find({ key: 'k5' }).sort({ _id: 1 }).toArray();
      expect(kept).toEqual([
        expect.objectContaining({ reason: 'forged', aside: true }),
        expect.not.objectContaining({ aside: true }),
      ]);
    });

    it('are looked for once a second while none blocks, and by the next batch after one is parked', async () => {
      const reader = new ParkedStore(connection);
      const find = jest.spyOn(connection.collection('parked') as unknown as { findOne: () => unknown }, 'findOne');
      const now = jest.spyOn(performance, 'now').mockReturnValue(0);
      const keys = async () => [...(await reader.parkedKeys('fast', 'events', ['k8', 'k9']))];
      try {
        for (const atMs of [0, 999, 1_000]) {
          now.mockReturnValue(atMs);
          expect(await keys()).toEqual([]);
        }
        // Twice each time: the second sees what a majority has.
        expect(find).toHaveBeenCalledTimes(4);
        await reader.park('fast', record('k8', '30'), 'odd');
        expect(await keys()).toEqual(['k8']);
      } finally {
        now.mockRestore();
        find.mockRestore();
      }
    });

    it('are found although a read right after an election misses them, before it is remembered that none is', async () => {
      const reader = new ParkedStore(connection);
      const collection = connection.collection('parked') as unknown as { findOne: () => Promise<unknown> };
      await parking.park('elected', record('k8', '33'), 'odd');
      const find = jest.spyOn(collection, 'findOne').mockResolvedValueOnce(null);
      try {
        expect(await reader.parkedKeys('elected', 'events', ['k8'])).toEqual(new Set(['k8']));
      } finally {
        find.mockRestore();
      }
    });

    it('of another process count once the group has shared out its partitions anew', async () => {
      const reader = new ParkedStore(connection);
      const keys = async () => [...(await reader.parkedKeys('shared', 'events', ['k8']))];
      expect(await keys()).toEqual([]);
      await parking.park('shared', record('k8', '31'), 'odd');
      reader.assigned();
      expect(await keys()).toEqual(['k8']);
    });

    it('count although a look-up that began before they were parked ends after it', async () => {
      const reader = new ParkedStore(connection);
      const collection = connection.collection('parked') as unknown as { findOne: () => Promise<unknown> };
      let parked: Promise<void> | undefined;
      const find = jest.spyOn(collection, 'findOne').mockImplementationOnce(async () => {
        await (parked = reader.park('raced', record('k8', '32'), 'odd'));
        return null;
      });
      try {
        await reader.parkedKeys('raced', 'events', ['k8']);
        await parked;
        expect(await reader.parkedKeys('raced', 'events', ['k8'])).toEqual(new Set(['k8']));
      } finally {
        find.mockRestore();
      }
    });

    it('distinguish records that failed from their followers, for one group', async () => {
      const records = ['20', '21', '22', '23'].map((offset) => record('k7', offset));
      const [aside, cause, follower] = records as [LogRecord, LogRecord, LogRecord, LogRecord];
      await parking.park('view', aside, 'forged', true);
      await parking.park('view', cause, 'odd');
      await parking.park('view', follower, followsParked);
      expect(await parking.findParkedForOwnReason('view', records)).toEqual(new Set([aside, cause]));
      expect(await parking.findParkedForOwnReason('destinations', records)).toEqual(new Set());
    });

    it('stay unchanged when they are parked again', async () => {
      await parking.park('view', record('k3', '12'), 'first');
      await parking.park('view', record('k3', '12'), 'second');
      const kept = await connection.collection('parked').find({ key: 'k3' }).toArray();
      expect(kept).toEqual([
        expect.objectContaining({ reason: 'first', partition: 2, offset: '12', at: new Date(1_000) }),
      ]);
    });

    it('keep the whole record, byte for byte', async () => {
      await parking.park('view', record('k4', '13'), 'odd');
      const kept = await connection.collection<ParkedRecord>('parked').findOne({ key: 'k4' });
      expect(toLogRecord(kept as ParkedRecord)).toEqual(record('k4', '13'));
    });

    it('are counted up to a limit, with their oldest, apart from those that are parked aside', async () => {
      const measures = new ParkedMeasures(connection);
      const of = { group: 'measured', topic: 'events' };
      const count = (atMost: number) =>
        Promise.all((['blocking', 'aside'] as const).map((kind) => measures.count({ ...of, kind }, atMost)));
      const oldest = (ms = 9_000) =>
        Promise.all(
          (['blocking', 'aside'] as const).map((kind) => measures.oldest({ group: 'measured', kind }, new Date(ms))),
        );
      expect([await count(9), await oldest()]).toEqual([
        [0, 0],
        [undefined, undefined],
      ]);
      for (const [n, ms] of [5_000, 4_000, 6_000].entries())
        await new ParkedStore(connection, () => ms).park('measured', record('k', `${n}`), 'odd');
      await parking.park('measured', record('k', '3'), 'forged', true);
      await parking.park('others', record('k', '4'), 'odd');
      expect([await count(9), await count(2)]).toEqual([
        [3, 1],
        [2, 1],
      ]);
      expect([await oldest(), await oldest(3_000)]).toEqual([
        [new Date(4_000), new Date(1_000)],
        [undefined, new Date(1_000)],
      ]);
    });

    it('serve two groups of one service from one collection', () => {
      expect(() => new ParkedStore(connection)).not.toThrow();
    });
  });
}
