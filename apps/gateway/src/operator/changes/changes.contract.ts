import { ManualClock } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import { ChangeFeed } from './change-feed';
import type { ChangedRequest } from './changes.document';
import { ChangesStore } from './changes.store';

/** What changed, told in every process, on every store. */
export function changesContract(name: string, database: TestDatabase): void {
  describe(`changes on ${name}`, () => {
    let store: ChangesStore;
    let clock: ManualClock;
    beforeEach(async () => {
      const connection = await database.open();
      store = new ChangesStore(connection);
      await connection.collection('changes').deleteMany({});
      await ensureIndexes(connection);
      clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
    });
    afterAll(() => database.close());

    /** A feed of a process, with what its listener was told. */
    function process() {
      const feed = new ChangeFeed(store, clock);
      const told: ChangedRequest[] = [];
      let more = false;
      const stop = feed.listen((changes) => {
        told.push(...changes.requests);
        more ||= changes.more;
      });
      return { feed, told, stop, more: () => more };
    }
    const request = (n: number) => ({ ws: 'acme', srid: `s${n}` });

    it('are told in every process, each once', async () => {
      const [one, two] = [process(), process()];
      one.feed.note(request(1));
      one.feed.note(request(1));
      two.feed.note(request(2));
      for (let n = 0; n < 3; n += 1) {
        await one.feed.runOnce();
        await two.feed.runOnce();
        clock.advance(1_000);
      }
      expect([one.told, two.told].map((told) => told.map(({ srid }) => srid).toSorted())).toEqual([
        ['s1', 's2'],
        ['s1', 's2'],
      ]);
    });

    it('are read once of each batch, however often a process reads that', async () => {
      const one = process();
      one.feed.note(request(1));
      const read = jest.spyOn(JSON, 'parse');
      for (let n = 0; n < 3; n += 1) await one.feed.runOnce();
      const batches = read.mock.calls.filter(([text]) => text.includes('"requests"'));
      read.mockRestore();
      expect([batches.length, one.told.length]).toEqual([1, 1]);
    });

    it('are told although the clock of the process that wrote them is behind', async () => {
      const one = process();
      await store.add(new Date(clock.now().getTime() - 5_000), { requests: [request(1)], more: false });
      await one.feed.runOnce();
      expect(one.told).toEqual([request(1)]);
    });

    it('are not told to who stopped listening, and are removed after a minute', async () => {
      const one = process();
      one.stop();
      one.feed.note(request(1));
      await one.feed.runOnce();
      expect(one.told).toEqual([]);
      expect(await store.since(new Date(0))).toHaveLength(1);
      clock.advance(120_000);
      await one.feed.runOnce();
      expect(await store.since(new Date(0))).toEqual([]);
    });

    it('name a bounded number of requests at once, and say that there are more', async () => {
      const one = process();
      for (let n = 0; n < 600; n += 1) one.feed.note(request(n));
      await one.feed.runOnce();
      expect([one.told.length, one.more()]).toEqual([200, true]);
    });

    it.each([
      [2, 2, false],
      [600, 200, true],
    ])('are told after an outage of the store as before it: %i of them', async (changed, named, more) => {
      const [one, two] = [process(), process()];
      for (let n = 0; n < changed; n += 1) one.feed.note(request(n));
      const add = jest.spyOn(store, 'add').mockRejectedValueOnce(new Error('away'));
      await expect(one.feed.runOnce()).rejects.toThrow('away');
      for (const { feed } of [one, two, one]) await feed.runOnce();
      const expected = Array.from({ length: named }, (_, n) => request(n));
      for (const { told, more: hasMore } of [one, two]) expect([told, hasMore()]).toEqual([expected, more]);
      expect(add).toHaveBeenCalledTimes(2);
    });
  });
}
