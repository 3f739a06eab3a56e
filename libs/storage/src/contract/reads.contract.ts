import mongoose from 'mongoose';
import { earliestDate } from '../earliest-date';
import type { Subject } from './subject';
import { opened } from './subject';

export function readsContract(subject: Subject): void {
  describe(`reads on ${subject.kind}`, () => {
    const { collection } = opened(subject);

    it('gives back every BSON type as the driver reads it', async () => {
      const { Binary, Decimal128, Long, ObjectId, Timestamp } = mongoose.mongo;
      const c = await collection();
      const doc = {
        date: new Date(1234),
        buffer: Buffer.from([0, 255]),
        binary: new Binary(Buffer.from([1]), 5),
        long: Long.fromString('9007199254740993'),
        small: Long.fromNumber(7),
        decimal: Decimal128.fromString('1.10'),
        oid: new ObjectId('00000000000000000000000a'),
        none: null,
        nested: { deep: [{ a: [] }, {}] },
        timestamp: new Timestamp({ t: 1, i: 2 }),
        double: 1.5,
        integer: 7,
        big: 2 ** 40,
        text: 'ä\u0000b',
        yes: true,
        regex: /a/i,
        missing: undefined,
      };
      const { insertedId } = await c.insertOne(doc);
      const expected = { ...doc, _id: insertedId, buffer: new Binary(Buffer.from([0, 255])), small: 7, missing: null };
      expect(await c.findOne({ _id: insertedId })).toEqual(expected);
      expect(Object.keys((await c.findOne({})) ?? {})[0]).toBe('_id');
      await c.updateOne({}, { $set: { touched: true } });
      expect(await c.findOne({ binary: doc.binary, buffer: doc.buffer, oid: doc.oid, date: doc.date })).toEqual({
        ...expected,
        touched: true,
      });
      expect(await c.findOne({ buffer: Buffer.from([0, 254]) })).toBeNull();
    });

    it('counts what it finds, with and without an index that says all of it', async () => {
      const c = await collection();
      const documents = Array.from({ length: 300 }, (_, n) => ({
        ...{ ws: `w${n % 3}`, state: n % 5 === 0 ? 'open' : 'closed', at: n % 7 === 0 ? n : new Date(n % 11) },
        ...(n % 4 === 0 && { marked: true }),
      }));
      await c.insertMany(documents);
      const during = { $gte: new Date(2), $lt: new Date(9) };
      const filters = [
        ...[{}, { ws: 'w1' }, { at: during }, { ws: 'w1', at: during }, { ws: 'w1', at: { $gt: new Date(2) } }],
        ...[{ marked: true }, { marked: true, at: during }, { state: 'open', at: during }, { state: { $gte: 'open' } }],
        ...[{ ws: 'w1', at: { $gt: 2 } }, { ws: null }, { ws: ['w1'] }, { ws: 'no such', at: during }],
      ];
      const check = async (): Promise<void> => {
        for (const filter of filters) {
          const found = (await c.find(filter).toArray()).length;
          const counts = [await c.countDocuments(filter), await c.countDocuments(filter, { limit: 4 })];
          expect([filter, ...counts]).toEqual([filter, found, Math.min(4, found)]);
        }
      };
      await check();
      await c.createIndex({ ws: 1, at: -1 });
      await c.createIndex({ at: 1, ws: 1 }, { partialFilterExpression: { state: { $gte: 'open' } } });
      await c.createIndex({ marked: 1, at: -1 }, { partialFilterExpression: { marked: { $exists: true } } });
      await check();
    });

    it('sorts, limits and projects, with and without an index for it', async () => {
      const c = await collection();
      await c.insertMany(Array.from({ length: 50 }, (_, n) => ({ ws: 'w', n: (n * 7) % 50, o: { a: n, b: n } })));
      const page = async (): Promise<unknown[]> =>
        c.find({ ws: 'w', n: { $gt: 9 } }, { sort: { n: -1 }, limit: 3, projection: { _id: 0, n: 1 } }).toArray();
      const expected = [{ n: 49 }, { n: 48 }, { n: 47 }];
      expect(await page()).toEqual(expected);
      await c.createIndex({ ws: 1, n: 1 });
      expect(await page()).toEqual(expected);
      expect(
        await c
          .find({}, { projection: { _id: 0, 'o.a': 0 } })
          .sort({ n: 1 })
          .limit(2)
          .toArray(),
      ).toEqual([
        { ws: 'w', n: 0, o: { b: 0 } },
        { ws: 'w', n: 1, o: { b: 43 } },
      ]);
      expect(await c.countDocuments({ n: { $lt: 10 } })).toBe(10);
      expect(await c.countDocuments({}, { limit: 10 })).toBe(10);
    });

    it('finds what is due by an index over dates, in order, and never what has no date', async () => {
      const c = await collection();
      await c.createIndex({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
      await c.insertMany([
        { dueAt: new Date(3) },
        {},
        { dueAt: new Date(-1) },
        { dueAt: new Date(9) },
        { dueAt: null },
        { dueAt: '2' },
        { dueAt: 2 },
      ]);
      const due = await c
        .find({ dueAt: { $lte: new Date(5) } }, { sort: { dueAt: 1 }, projection: { _id: 0 } })
        .toArray();
      expect(due).toEqual([{ dueAt: new Date(-1) }, { dueAt: new Date(3) }]);
    });

    it('returns the earliest date up to a time', async () => {
      const c = await collection();
      await c.createIndex({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
      expect(await earliestDate(c, 'dueAt', new Date(9))).toBeUndefined();
      await c.insertMany([7, 3, 9, 5].map((ms) => ({ dueAt: new Date(ms), n: ms })).concat({ n: 1 } as never));
      expect([await earliestDate(c, 'dueAt', new Date(9)), await earliestDate(c, 'dueAt', new Date(2))]).toEqual([
        new Date(3),
        undefined,
      ]);
    });

    it('returns the earliest date of documents that have another field', async () => {
      const c = await collection();
      await c.createIndex({ since: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
      await c.insertMany([
        { since: new Date(1) },
        { since: new Date(3), dueAt: new Date(9) },
        { dueAt: new Date(2) },
        { since: new Date(2), dueAt: new Date(9) },
      ]);
      expect([
        await earliestDate(c, 'since', new Date(9), 'dueAt'),
        await earliestDate(c, 'since', new Date(1), 'dueAt'),
      ]).toEqual([new Date(2), undefined]);
    });

    it('leaves out, or finds, by a second field of the same index, and counts a missing one as null', async () => {
      const c = await collection();
      const hosts = ['a', 'b', 'ab', 'a\0', null, undefined, 7, true];
      await c.insertMany(
        Array.from({ length: 80 }, (_, n) => ({
          _id: n as never,
          ws: n % 2 ? 'w' : 'other',
          dueAt: new Date(n),
          ...(hosts[n % 8] !== undefined && { host: hosts[n % 8] }),
        })),
      );
      const found = async (host: object, more: object = {}): Promise<unknown[]> =>
        (await c.find({ ...more, dueAt: { $lte: new Date(60) }, host }, { sort: { dueAt: 1 } }).toArray()).map(
          ({ _id }) => _id,
        );
      const asked = [
        { $nin: ['a'] },
        { $nin: ['a', 'ab', 'b'] },
        { $nin: [null] },
        { $nin: [7, 'zzz', true, null, 'a\0'] },
        { $nin: [] },
        { $ne: 'b' },
        { $ne: null },
        { $in: ['ab', null] },
        { $in: [7] },
        { $in: [] },
        { $nin: ['a'], $in: ['a', 'b'] },
        { $nin: Array.from({ length: 300 }, (_, n) => `h${n}`).concat('a') },
        { $in: Array.from({ length: 300 }, (_, n) => `h${n}`).concat('a') },
      ];
      const answers = async (): Promise<unknown[]> =>
        Promise.all(asked.flatMap((host) => [found(host), found(host, { ws: 'w' })]));
      const plain = await answers();
      const keys: Record<string, 1 | -1>[] = [
        { dueAt: 1, host: 1 },
        { dueAt: -1, host: -1 },
        { ws: 1, dueAt: 1, host: -1 },
        { ws: 1, host: 1 },
        { host: 1, dueAt: 1 },
      ];
      for (const key of keys) {
        await c.createIndex(key);
        expect(await answers()).toEqual(plain);
        await c.dropIndex(Object.entries(key).flat().join('_'));
      }
      await c.createIndex({ host: 1 }, { partialFilterExpression: { host: { $exists: true } } });
      expect(await answers()).toEqual(plain);
    });

    it('streams a large result, also while others write', async () => {
      const c = await collection();
      await c.insertMany(Array.from({ length: 3_000 }, (_, n) => ({ _id: n as never, pad: 'x'.repeat(500) })));
      let seen = 0;
      for await (const doc of c.find({}, { sort: { _id: 1 } })) {
        expect(doc._id).toBe(seen);
        seen += 1;
        if (seen % 1000 === 0) await c.insertOne({ _id: (100_000 + seen) as never, pad: '' });
        if (seen === 3_000) break;
      }
      for await (const doc of c.find({ _id: { $gte: 2_990 as never } }).limit(1)) expect(doc._id).toBe(2_990);
      expect(await c.find({ _id: { $in: [5, 1, 5, 7_777] as never[] } }).toArray()).toHaveLength(2);
    });
  });
}
