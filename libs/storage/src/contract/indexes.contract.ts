import mongoose from 'mongoose';
import { duplicateKey } from '../errors';
import { declareCollection } from '../declare-collection';
import { ensureIndexes } from '../indexes';
import type { Subject } from './subject';
import { opened, refusal } from './subject';

export function indexesContract(subject: Subject): void {
  describe(`indexes on ${subject.kind}`, () => {
    const { connection, collection } = opened(subject);

    it('refuses a second document under a unique key with 11000 and the pattern of that index', async () => {
      const c = await collection();
      await c.createIndex({ ws: 1, slot: -1 }, { unique: true });
      await c.insertOne({ ws: 'a', slot: 1 });
      await c.insertOne({ ws: 'b', slot: 1 });
      const error = await refusal(c.insertOne({ ws: 'a', slot: 1 }));
      expect(error).toMatchObject({ name: 'MongoServerError', code: 11000 });
      expect(duplicateKey(error)).toEqual({ keyPattern: { ws: 1, slot: -1 } });
      expect(await c.countDocuments({})).toBe(2);
    });

    it('counts a missing field as null under a unique key, so that two such documents collide', async () => {
      const c = await collection();
      await c.createIndex({ ws: 1, f: 1 }, { unique: true });
      await c.insertOne({ ws: 'a' });
      expect(duplicateKey(await refusal(c.insertOne({ ws: 'a', f: null })))).toEqual({ keyPattern: { ws: 1, f: 1 } });
      await c.insertOne({ ws: 'b' });
    });

    it('leaves out of a partial unique index what does not match, and takes in null where the field exists', async () => {
      const c = await collection();
      await c.createIndex({ ws: 1, f: 1 }, { unique: true, partialFilterExpression: { f: { $exists: true } } });
      await c.insertMany([{ ws: 'a' }, { ws: 'a' }, { ws: 'a', f: 'x' }, { ws: 'a', f: null }]);
      expect(duplicateKey(await refusal(c.insertOne({ ws: 'a', f: 'x' })))).toBeDefined();
      expect(duplicateKey(await refusal(c.insertOne({ ws: 'a', f: null })))).toBeDefined();
      await c.updateOne({ f: 'x' }, { $unset: { f: 1 } });
      await c.insertOne({ ws: 'a', f: 'x' });
      expect(duplicateKey(await refusal(c.updateOne({ f: { $exists: false } }, { $set: { f: 'x' } })))).toBeDefined();
    });

    it('treats equal values as equal in a unique key, and nothing else', async () => {
      const { Binary } = mongoose.mongo;
      const c = await collection();
      await c.createIndex({ v: 1 }, { unique: true });
      const values = [
        1,
        '1',
        true,
        new Date(1),
        Buffer.from('1'),
        9007199254740992,
        'ä',
        'a\u0000',
        'a',
        { a: 1 },
        { a: '1' },
      ];
      for (const v of values) await c.insertOne({ v });
      const same = [1.0, new Binary(Buffer.from('1')), 'a\u0000', { a: 1.0 }, 9007199254740992];
      for (const v of same) expect(duplicateKey(await refusal(c.insertOne({ v })))).toBeDefined();
    });

    it.each([[['a', 'b']], [['b', 'a']]])(
      'names _id first and then the indexes as they were made: %s',
      async (fields) => {
        const c = await collection();
        for (const field of fields) await c.createIndex({ [field]: 1 }, { unique: true });
        await c.insertMany([
          { _id: 1 as never, a: 1, b: 1 },
          { _id: 2 as never, a: 2, b: 2 },
        ]);
        const named = async (doc: object): Promise<unknown> =>
          duplicateKey(await refusal(c.insertOne(doc)))?.keyPattern;
        expect(await named({ _id: 1, a: 1, b: 1 })).toEqual({ _id: 1 });
        expect(await named({ _id: 3, a: 1, b: 2 })).toEqual({ [fields[0] as string]: 1 });
        expect(
          duplicateKey(await refusal(c.updateOne({ _id: 2 as never }, { $set: { a: 1, b: 1 } })))?.keyPattern,
        ).toEqual({ [fields[0] as string]: 1 });
      },
    );

    it('does not make a unique index over documents that collide, nor keep half of it', async () => {
      const c = await collection();
      await c.insertMany([{ a: 1 }, { a: 2 }, { a: 1 }]);
      expect(duplicateKey(await refusal(c.createIndex({ a: 1 }, { unique: true })))).toBeDefined();
      expect(await c.listIndexes().toArray()).toHaveLength(1);
      await c.insertOne({ a: 1 });
    });

    it('takes the same index twice and refuses another one of its name', async () => {
      const c = await collection();
      expect([await c.createIndex({ a: 1, b: -1 }), await c.createIndex({ a: 1, b: -1 })]).toEqual([
        'a_1_b_-1',
        'a_1_b_-1',
      ]);
      expect(await refusal(c.createIndex({ a: 1, b: -1 }, { unique: true }))).toMatchObject({ code: 86 });
      expect(await refusal(c.createIndex({ a: 1, b: -1 }, { name: 'other' }))).toMatchObject({ code: 85 });
      await c.createIndex({ a: 1 }, { partialFilterExpression: { a: { $gt: 5 } } });
      expect(await c.listIndexes().toArray()).toEqual([
        { v: 2, key: { _id: 1 }, name: '_id_' },
        { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1' },
        { v: 2, key: { a: 1 }, name: 'a_1', partialFilterExpression: { a: { $gt: 5 } } },
      ]);
      await c.dropIndex('a_1');
      expect(await c.listIndexes().toArray()).toHaveLength(2);
      expect(await refusal(c.dropIndex('a_1'))).toMatchObject({ code: 27 });
    });

    it('makes the indexes that models declare, and only when asked', async () => {
      const own = await connection();
      const schema = new mongoose.Schema({ ws: String, slot: Number }).index({ ws: 1, slot: 1 }, { unique: true });
      const { collection: declared } = own.model('declared', schema, `declared${process.pid}`);
      await declared.insertMany([
        { ws: 'a', slot: 1 },
        { ws: 'a', slot: 2 },
      ]);
      expect(await declared.listIndexes().toArray()).toHaveLength(1);
      await ensureIndexes(own);
      await ensureIndexes(own);
      expect(duplicateKey(await refusal(declared.insertOne({ ws: 'a', slot: 2 })))).toEqual({
        keyPattern: { ws: 1, slot: 1 },
      });
    });

    it('makes collections and indexes in several processes at the same time', async () => {
      const own = await connection();
      const documents = declareCollection<{ slot: number }>(own, `together${process.pid}`, [{ fields: { slot: 1 } }]);
      await Promise.all(Array.from({ length: 4 }, () => ensureIndexes(own)));
      expect(await documents.listIndexes().toArray()).toHaveLength(2);
    });

    it('makes the indexes of a declared collection with their options, however often it is declared', async () => {
      const own = await connection();
      const declare = () =>
        declareCollection<{ slot: number }>(own, `indexed${process.pid}`, [{ fields: { slot: 1 }, unique: true }]);
      declare();
      const documents = declare();
      await ensureIndexes(own);
      await documents.insertMany([{ slot: 1 }, { slot: 2 }]);
      expect(duplicateKey(await refusal(documents.insertOne({ slot: 2 })))).toEqual({ keyPattern: { slot: 1 } });
    });
  });
}
