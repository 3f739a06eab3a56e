import { randomUUID } from 'node:crypto';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Collection, Connection } from 'mongoose';
import { callbackEvents, second } from '../testing/callback-events';
import { LedgerStore, LedgerContended } from './ledger.store';
import type { CallbackEvent, LedgerEntry } from './ledger-entry';

/** The ledger on every store: each event once, however often it comes. */
export function callbacksStoreContract(name: string, database: () => TestDatabase): void {
  describe(`the ledger of callbacks on ${name}`, () => {
    const ws = 'acme';
    let opened: TestDatabase;
    let connection: Connection;
    let store: LedgerStore;
    beforeAll(async () => {
      opened = database();
      connection = await opened.open();
      store = new LedgerStore(connection);
      await ensureIndexes(connection);
    });
    afterAll(() => opened.close());

    /** A callback that fails once, is delivered, and is replayed. */
    const lifeOf = (of: Parameters<typeof callbackEvents>[0]): CallbackEvent[] => {
      const { queued, attempted, nextAt } = callbackEvents(of);
      return [
        queued(0, 15),
        attempted(1, 16, 'rejected', { httpStatus: 500, durationMs: 3, nextAt: nextAt(30) }),
        attempted(2, 31, 'delivered', { httpStatus: 202, durationMs: 4 }),
        queued(100, 105, true),
      ];
    };
    const shown = async (srid: string, of = ws) =>
      (await store.listByRequest(of, srid)).map(({ destination, version, standing, attemptCount }) => [
        destination,
        version,
        standing.state,
        attemptCount,
      ]);

    it('applies a batch across requests and workspaces, and lists one request by destination and version', async () => {
      const [srid, other] = [randomUUID(), randomUUID()];
      const lives = [
        { ws, srid, destination: 'b' },
        { ws, srid, destination: 'a', version: 10 },
        { ws, srid, destination: 'a', version: 2 },
        { ws, srid: other, destination: 'a' },
        { ws: 'other', srid, destination: 'a' },
      ].map(lifeOf);
      const batch = [0, 1, 2, 3].flatMap((n) => lives.map((life) => life[n] as CallbackEvent));
      expect((await store.applyEvents(batch)).size).toBe(20);
      expect(await shown(srid)).toEqual([
        ['a', 2, 'waiting', 2],
        ['a', 10, 'waiting', 2],
        ['b', 1, 'waiting', 2],
      ]);
      expect(await shown(other)).toEqual([['a', 1, 'waiting', 2]]);
      expect(await shown(srid, 'other')).toEqual([['a', 1, 'waiting', 2]]);
    });

    it('reaches the same entry event by event, in parts and with repeats, and returns the new events', async () => {
      const [one, by, again] = [randomUUID(), randomUUID(), randomUUID()];
      const entryOf = async (srid: string) => {
        const [entry] = await store.listByRequest(ws, srid);
        return { ...entry, _id: '', srid: '', delivery: '' };
      };
      expect((await store.applyEvents(lifeOf({ ws, srid: one, destination: 'a' }))).size).toBe(4);
      for (const event of lifeOf({ ws, srid: by, destination: 'a' }))
        expect(await store.applyEvents([event])).toEqual(new Set([event]));
      const life = lifeOf({ ws, srid: again, destination: 'a' });
      expect((await store.applyEvents([...life.slice(0, 2), ...life.slice(0, 3)])).size).toBe(3);
      expect(await store.applyEvents(life)).toEqual(new Set(life.slice(3)));
      expect(await store.applyEvents(life)).toEqual(new Set());
      expect(await store.applyEvents([])).toEqual(new Set());
      expect([await entryOf(by), await entryOf(again)]).toEqual([await entryOf(one), await entryOf(one)]);
    });

    it('leaves a field alone that a later release has written', async () => {
      const srid = randomUUID();
      const life = lifeOf({ ws, srid, destination: 'a' });
      await store.applyEvents(life.slice(0, 1));
      await connection.collection('callbacks').updateOne({ ws, srid }, { $set: { later: { n: 1 } } });
      await store.applyEvents(life.slice(1));
      expect(await store.listByRequest(ws, srid)).toEqual([
        expect.objectContaining({ rev: 4, attemptCount: 2, later: { n: 1 } }),
      ]);
    });

    it('loses no event if two consumers apply the same partition at once, one of them behind', async () => {
      const srids = Array.from({ length: 20 }, () => randomUUID());
      const lives = srids.map((srid) => lifeOf({ ws, srid, destination: 'a' }));
      const [early, all] = [lives.flatMap((life) => life.slice(0, 2)), lives.flat()];
      await Promise.all([store.applyEvents(all), store.applyEvents(early), store.applyEvents(all)]);
      for (const srid of srids) {
        expect(await store.listByRequest(ws, srid)).toEqual([
          expect.objectContaining({ rev: 4, attemptCount: 2, standing: { state: 'waiting', nextAt: second(105) } }),
        ]);
      }
    });

    it.each([0, 2])(
      'includes an event that is written between its read and its write, after %d events',
      async (known) => {
        const srid = randomUUID();
        const life = lifeOf({ ws, srid, destination: 'a' });
        await store.applyEvents(life.slice(0, known));
        const { entries } = store as unknown as { readonly entries: Collection<LedgerEntry> };
        const write = entries.bulkWrite.bind(entries);
        const spy = jest.spyOn(entries, 'bulkWrite').mockImplementationOnce(async (...args) => {
          await store.applyEvents(life.slice(known, known + 1));
          return write(...args);
        });
        await store.applyEvents(life.slice(known));
        spy.mockRestore();
        expect(await shown(srid)).toEqual([['a', 1, 'waiting', 2]]);
      },
    );

    it('throws LedgerContended while another writer is always faster, and succeeds later', async () => {
      const life = lifeOf({ ws, srid: randomUUID(), destination: 'a' });
      await store.applyEvents(life.slice(0, 1));
      const { entries } = store as unknown as { readonly entries: Collection<LedgerEntry> };
      const write = entries.bulkWrite.bind(entries);
      const spy = jest.spyOn(entries, 'bulkWrite').mockImplementation(async (...args) => {
        await entries.updateMany({ ws }, { $inc: { rev: 1 } });
        return write(...args);
      });
      await expect(store.applyEvents(life)).rejects.toThrow(LedgerContended);
      spy.mockRestore();
      expect((await store.applyEvents(life)).size).toBe(3);
    });

    it('finds a callback by its delivery id, only within its request and workspace', async () => {
      const srid = randomUUID();
      const { delivery } = callbackEvents({ ws, srid, destination: 'a' });
      await store.applyEvents([...lifeOf({ ws, srid, destination: 'a' }), ...lifeOf({ ws, srid, destination: 'b' })]);
      expect(await store.findByDelivery(ws, srid, delivery)).toMatchObject({ destination: 'a', delivery });
      expect([
        await store.findByDelivery(ws, srid, randomUUID()),
        await store.findByDelivery(ws, randomUUID(), delivery),
        await store.findByDelivery('other', srid, delivery),
      ]).toEqual([null, null, null]);
    });
  });
}
