import { requestKey } from '@opendsr-service/contracts';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { ErasuresStore, type ClaimedErasure, type ErasureDocument } from '../erasure/erasures.store';
import { overdueIn } from './work.measures.store';

const HOUR_MS = 3_600_000;
const noon = new Date('2026-11-21T12:00:00Z');
const hours = (count: number) => new Date(noon.getTime() + count * HOUR_MS);

/** Measures of ingestion, for any store. */
export function workMeasuresContract(name: string, database: TestDatabase): void {
  describe(`measures of the work of ingestion on ${name}`, () => {
    let connection: Connection;
    let erasures: ErasuresStore;
    beforeAll(async () => {
      connection = await database.open();
      erasures = new ErasuresStore(connection);
      await ensureIndexes(connection);
    });
    beforeEach(() => connection.collection('erasures').deleteMany({}));
    afterAll(() => database.close());

    const overdue = (now: Date) => overdueIn(connection).erasures(now);
    const add = (dueAt: Date, srid = 's') =>
      erasures.add({ ws: 'acme', srid, kid: 'k', identities: 'sealed' }, noon, dueAt);
    const claim = async (now: Date) => (await erasures.claimDue(now, 1))[0] as ClaimedErasure;
    const without = (field: 'dueAt' | 'dueSince') =>
      connection
        .collection<ErasureDocument>('erasures')
        .updateOne({ _id: requestKey('acme', 's') }, { $unset: { [field]: 1 } });

    it('report when the most overdue erasure was due, and none before its time', async () => {
      for (const at of [3, 1, 2]) await add(hours(at), `s${at}`);
      expect(await overdue(noon)).toBeUndefined();
      expect(await overdue(hours(3))).toEqual(hours(1));
    });

    it('count an erasure through claims and failures, and its second pass from its own time', async () => {
      await add(noon);
      for (let n = 0; n < 10; n += 1) await erasures.reschedule(await claim(hours(n)), hours(n + 1));
      const claimed = await claim(hours(10));
      await erasures.renew(claimed, hours(11));
      expect(await overdue(hours(10))).toEqual(noon);
      await erasures.recordPass(claimed, hours(12));
      expect(await overdue(hours(11))).toBeUndefined();
      await erasures.reschedule(await claim(hours(13)), hours(14));
      expect(await overdue(hours(13))).toEqual(hours(12));
    });

    it('do not count one that waits for other participants, and count it from the first completion event', async () => {
      await add(noon);
      const claimed = await claim(noon);
      await erasures.setSubjects(claimed, [], 0);
      await erasures.waitForOthers(claimed);
      expect(await overdue(hours(1))).toBeUndefined();
      await erasures.recordRequestCompleted('acme', 's', hours(2));
      await erasures.reschedule(await claim(hours(3)), hours(4));
      await erasures.recordRequestCompleted('acme', 's', hours(5));
      expect(await overdue(hours(5))).toEqual(hours(2));
      await erasures.finish(await claim(hours(6)));
      expect(await overdue(hours(99))).toBeUndefined();
    });

    it('do not count an erasure without due time', async () => {
      await add(noon);
      await without('dueAt');
      expect(await overdue(hours(1))).toBeUndefined();
    });
  });
}
