import type { Subject } from './subject';
import { opened, refusal } from './subject';

const id = (value: unknown): { _id: never } => ({ _id: value as never });

export function updatesContract(subject: Subject): void {
  describe(`updates on ${subject.kind}`, () => {
    const { collection } = opened(subject);

    it('changes a document and gives back the state after', async () => {
      const c = await collection();
      await c.insertMany([
        { ...id('a'), at: 3 },
        { ...id('b'), at: 1 },
      ]);
      const change = (filter: object, projection: object): Promise<unknown> =>
        c.findOneAndUpdate(filter, { $inc: { at: 7 } }, { returnDocument: 'after', projection });
      expect(await change({ at: { $lte: 2 } }, {})).toEqual({ _id: 'b', at: 8 });
      expect(await change({ at: 3 }, { _id: 0 })).toEqual({ at: 10 });
      expect(await change({ at: 77 }, {})).toBeNull();
    });

    it('inserts on upsert what the filter demands, what is set and what is set on insert, and only then', async () => {
      const c = await collection();
      const upsert = (): Promise<unknown> =>
        c.updateOne(
          { ...id('l'), ws: 'w', v: { $exists: false } },
          { $set: { seen: true }, $setOnInsert: { n: 0 }, $push: { log: 1 as never } },
          { upsert: true },
        );
      expect(await upsert()).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1, upsertedId: 'l' });
      await c.updateOne(id('l'), { $set: { n: 5 } });
      expect(await upsert()).toMatchObject({ matchedCount: 1, modifiedCount: 1, upsertedCount: 0, upsertedId: null });
      expect(await c.findOne(id('l'))).toEqual({ _id: 'l', ws: 'w', seen: true, n: 5, log: [1, 1] });
    });

    it('counts as modified only what changed', async () => {
      const c = await collection();
      await c.insertOne({ ...id(1), a: 1, l: [1], o: [{ n: 1 }] });
      expect(await c.updateOne(id(1), { $set: { a: 1 }, $addToSet: { l: 1 } })).toMatchObject({
        matchedCount: 1,
        modifiedCount: 0,
      });
      expect(await c.updateOne(id(1), { $pull: { o: { n: 1 } } } as never)).toMatchObject({
        matchedCount: 1,
        modifiedCount: 1,
      });
      expect(await c.updateOne(id(2), { $set: { a: 1 } })).toMatchObject({ matchedCount: 0, modifiedCount: 0 });
    });

    it('changes arrays as the destinations and outboxes need it', async () => {
      const c = await collection();
      await c.insertOne({ ...id(1), outbox: [{ seq: 1 }, { seq: 2 }, { seq: 3 }], log: [1, 2, 3] });
      await c.updateOne(id(1), {
        $pull: { outbox: { seq: { $lte: 2 } } },
        $push: { log: { $each: [4, 5], $slice: -3 } },
      } as never);
      expect(await c.findOne(id(1))).toEqual({ _id: 1, outbox: [{ seq: 3 }], log: [3, 4, 5] });
      await c.updateOne(id(1), { $addToSet: { log: { $each: [5, 6] } }, $min: { low: 4, 'deep.low': 4 } });
      await c.updateOne(id(1), { $min: { low: 5, 'deep.low': 3 } });
      expect(await c.findOne(id(1))).toEqual({
        _id: 1,
        outbox: [{ seq: 3 }],
        log: [3, 4, 5, 6],
        deep: { low: 3 },
        low: 4,
      });
      expect(await refusal(c.updateOne(id(1), { $push: { low: 1 as never } }))).toMatchObject({ code: 2 });
    });

    it('guards a change by what the filter says of the array, not of an earlier read', async () => {
      const c = await collection();
      await c.insertOne({ ...id(1), pending: [{ seq: 1 }, { seq: 2 }], dueAt: new Date(5) });
      const more = (): Promise<{ matchedCount: number }> =>
        c.updateOne(
          { ...id(1), 'pending.1': { $exists: true } },
          { $pull: { pending: { seq: 1 } } as never, $set: { dueAt: new Date(9) } },
        );
      const last = (): Promise<{ matchedCount: number }> =>
        c.updateOne(
          { ...id(1), 'pending.0': { $exists: true }, 'pending.1': { $exists: false } },
          { $pull: { pending: { seq: 2 } } as never, $unset: { dueAt: 1 } },
        );
      expect([
        (await last()).matchedCount,
        (await more()).matchedCount,
        (await more()).matchedCount,
        (await last()).matchedCount,
        (await last()).matchedCount,
      ]).toEqual([0, 1, 0, 1, 0]);
      expect(await c.findOne(id(1))).toEqual({ _id: 1, pending: [] });
      await c.insertOne({ ...id(2), outbox: [{ seq: 1 }, { seq: 2 }], outboxAt: new Date(5) });
      const acknowledged = (filter: object, update: object): Promise<{ matchedCount: number }> =>
        c.updateOne({ ...id(2), ...filter }, update);
      expect(
        await acknowledged({ 'outbox.seq': { $gt: 1 } }, { $pull: { outbox: { seq: { $lte: 1 } } } }),
      ).toMatchObject({ matchedCount: 1 });
      expect(await acknowledged({ outbox: { $size: 0 } }, { $unset: { outboxAt: 1 } })).toMatchObject({
        matchedCount: 0,
      });
      expect(
        await acknowledged({ 'outbox.seq': { $not: { $gt: 2 } } }, { $set: { outbox: [] }, $unset: { outboxAt: 1 } }),
      ).toMatchObject({ matchedCount: 1 });
      expect(await acknowledged({ outbox: { $size: 0 } }, { $set: { done: true } })).toMatchObject({ matchedCount: 1 });
    });

    it('changes and removes many, also where a change moves a document ahead in the index that is read', async () => {
      const c = await collection();
      await c.createIndex({ n: 1 });
      await c.insertMany(Array.from({ length: 500 }, (_, n) => ({ n, w: n % 2 })));
      expect(await c.updateMany({ n: { $gte: 0 } }, { $inc: { n: 1000 } })).toMatchObject({
        matchedCount: 500,
        modifiedCount: 500,
      });
      expect(await c.countDocuments({ n: { $gte: 2000 } })).toBe(0);
      expect(await c.deleteMany({ w: 1 })).toMatchObject({ deletedCount: 250 });
      expect(await c.deleteOne({ n: 1000 })).toMatchObject({ deletedCount: 1 });
      expect(await c.countDocuments({})).toBe(249);
    });

    it('writes in bulk: in order up to the first error, or all that can be', async () => {
      const c = await collection();
      const operations = [
        { insertOne: { document: { ...id(1), n: 1 } } },
        { insertOne: { document: { ...id(1), n: 2 } } },
        { updateOne: { filter: id(1), update: { $inc: { n: 10 } } } },
        { updateOne: { filter: id(2), update: { $set: { n: 1 } }, upsert: true } },
        { replaceOne: { filter: id(2), replacement: { m: 1 } } },
        { updateMany: { filter: {}, update: { $set: { seen: true } } } },
        { deleteOne: { filter: id(2) } },
      ];
      expect(await refusal(c.bulkWrite(operations, { ordered: true }))).toMatchObject({
        name: 'MongoBulkWriteError',
        code: 11000,
        insertedCount: 1,
        modifiedCount: 0,
        writeErrors: [{ index: 1, code: 11000 }],
      });
      await c.deleteMany({});
      expect(await refusal(c.bulkWrite(operations, { ordered: false }))).toMatchObject({
        insertedCount: 1,
        upsertedCount: 1,
        deletedCount: 1,
        matchedCount: 4,
      });
      expect(await c.find({}).toArray()).toEqual([{ _id: 1, n: 11, seen: true }]);
      const ok = await c.bulkWrite([{ insertOne: { document: id(7) } }, { deleteOne: { filter: id(1) } }]);
      expect([ok.insertedCount, ok.insertedIds, ok.deletedCount, ok.isOk()]).toEqual([1, { 0: 7 }, 1, true]);
    });

    it('inserts many, and with ordered: false all but the duplicates', async () => {
      const c = await collection();
      const docs = [1, 2, 2, 3].map((n) => ({ ...id(n) }));
      expect(await refusal(c.insertMany(docs))).toMatchObject({ insertedCount: 2 });
      expect(await refusal(c.insertMany(docs, { ordered: false }))).toMatchObject({
        code: 11000,
        insertedCount: 1,
        writeErrors: [{ index: 0 }, { index: 1 }, { index: 2 }],
      });
      expect(await c.insertMany([id(8), id(9)])).toEqual({
        acknowledged: true,
        insertedCount: 2,
        insertedIds: { 0: 8, 1: 9 },
      });
      expect(await c.countDocuments({})).toBe(5);
    });

    it('never changes _id, and refuses two operators on one path', async () => {
      const c = await collection();
      await c.insertOne(id(1));
      expect(await refusal(c.updateOne(id(1), { $set: { _id: 2 } }))).toMatchObject({ code: 66 });
      expect(await refusal(c.replaceOne(id(1), id(2)))).toMatchObject({ code: 66 });
      expect(await refusal(c.updateOne(id(1), { $set: { a: 1 }, $unset: { 'a.b': 1 } }))).toMatchObject({ code: 40 });
    });
  });
}
