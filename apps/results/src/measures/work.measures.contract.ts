import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import type { Archive, BuiltArchive, ClaimedArchive } from '../archives/archive';
import { ArchivesStore } from '../archives/archives.store';
import { ErasuresStore, type ClaimedErasure } from '../erasure/erasures.store';
import { overdueIn } from './work.measures.store';

const HOUR_MS = 3_600_000;
const noon = new Date('2026-11-21T12:00:00Z');
const before = (ms: number) => new Date(noon.getTime() - ms);
const hours = (count: number) => new Date(noon.getTime() + count * HOUR_MS);

/** Measures of results, for any store. */
export function workMeasuresContract(name: string, database: TestDatabase): void {
  describe(`measures of the work of results on ${name}`, () => {
    let connection: Connection;
    let archives: ArchivesStore;
    let erasures: ErasuresStore;
    beforeAll(async () => {
      connection = await database.open();
      archives = new ArchivesStore(connection);
      erasures = new ErasuresStore(connection);
      await ensureIndexes(connection);
    });
    beforeEach(() => Promise.all(['archives', 'erasures'].map((kind) => connection.collection(kind).deleteMany({}))));
    afterAll(() => database.close());

    const of = { ws: 'acme', srid: 'a' };
    const overdue = (work: keyof ReturnType<typeof overdueIn>, now: Date) => overdueIn(connection)[work](now);
    const order = (dueAt: Date) => archives.addOrder({ ...of, kid: 'k', identities: 'sealed' }, dueAt);
    const claimArchive = async (now: Date) => (await archives.claimDue(now, 1))[0] as ClaimedArchive;
    const claimErasure = async (now: Date) => (await erasures.claimDue(now, 1))[0] as ClaimedErasure;

    it('report for each kind when the most overdue one was due', async () => {
      const found = async () =>
        Object.fromEntries(
          await Promise.all(
            Object.entries(overdueIn(connection)).map(async ([work, find]) => [work, await find(noon)] as const),
          ),
        );
      expect(await found()).toEqual({ archives: undefined, 'archive-erasures': undefined, 'archive-sweep': undefined });
      await order(before(1));
      await archives.complete('acme', 'a', before(9), before(3));
      await erasures.add({ ws: 'acme', srid: 'b', erased: [] }, before(2));
      expect(await found()).toEqual({ archives: before(1), 'archive-erasures': before(2), 'archive-sweep': before(3) });
    });

    it('count an archive through claims and failures, until it is reported', async () => {
      await order(hours(1));
      expect(await overdue('archives', noon)).toBeUndefined();
      for (let n = 1; n <= 10; n += 1) await archives.reschedule(await claimArchive(hours(n)), hours(n + 1));
      const claimed = await claimArchive(hours(11));
      expect(await overdue('archives', hours(11))).toEqual(hours(1));
      await archives.begin(claimed, { build: 'build', kid: 'k' }, hours(12));
      await archives.renew(claimed, hours(13));
      await archives.markBuilt(claimed, { state: 'ready', matched: 1, chunks: 1, bytes: 1 }, hours(12));
      expect(await overdue('archives', hours(13))).toEqual(hours(1));
      await archives.markReported(claimed);
      expect(await overdue('archives', hours(99))).toBeUndefined();
    });

    it('count a withdrawn archive, and not a forgotten one', async () => {
      await order(noon);
      await archives.begin(await claimArchive(hours(1)), { build: 'build', kid: 'k' }, hours(2));
      await archives.withdraw((await archives.find('acme', 'a')) as BuiltArchive, hours(3));
      expect(await overdue('archives', hours(4))).toEqual(noon);
      await archives.removeData((await archives.find('acme', 'a')) as Archive);
      expect(await overdue('archives', hours(4))).toBeUndefined();
    });

    it('count an erasure through claims and failures, its second pass from its own time, until it is reported', async () => {
      await erasures.add({ ...of, erased: ['x'] }, noon);
      for (let n = 0; n < 10; n += 1) await erasures.reschedule(await claimErasure(hours(n)), hours(n + 1));
      const claimed = await claimErasure(hours(10));
      expect(await overdue('archive-erasures', hours(10))).toEqual(noon);
      await erasures.recordPass(claimed, hours(12));
      expect(await overdue('archive-erasures', hours(11))).toBeUndefined();
      await erasures.reschedule(await claimErasure(hours(13)), hours(14));
      expect(await overdue('archive-erasures', hours(13))).toEqual(hours(12));
      await erasures.finish(await claimErasure(hours(14)));
      expect(await overdue('archive-erasures', hours(99))).toBeUndefined();
    });
  });
}
