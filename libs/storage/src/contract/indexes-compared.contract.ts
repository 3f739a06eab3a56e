import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { declareCollection } from '../declare-collection';
import { optionalIndex } from '../index-differences';
import { compareIndexes, ensureIndexes, createMissingIndexes } from '../indexes';
import { openStorage } from '../open-storage';
import type { Storage } from '../storage';
import type { Subject } from './subject';

const schema = () =>
  new mongoose.Schema(
    { _id: String, ws: String, slot: Number, dueAt: { type: Date, required: false } },
    { strict: false },
  )
    .index({ ws: 1, slot: -1 }, { unique: true })
    .index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });

export function indexesComparedContract(subject: Subject): void {
  describe(`compared indexes on ${subject.kind}`, () => {
    let storage: Storage;
    let name: string;
    beforeEach(async () => {
      name = `compared-${randomUUID().slice(0, 8)}`;
      storage = await openStorage(subject.options());
    });
    afterEach(async () => {
      await (await storage.database(name)).dropDatabase();
      await storage.close();
    });
    const connection = () => storage.database(name);
    const declared = async () => {
      const own = await connection();
      own.model('Thing', schema(), 'things');
      return own;
    };

    it('finds nothing different where the models made the indexes, and everything missing where nothing is there', async () => {
      const own = await declared();
      expect(await compareIndexes(own)).toMatchObject([
        {
          collection: 'things',
          index: 'ws_1_slot_-1',
          kind: 'missing',
          detail: 'should be {"ws":1,"slot":-1}, unique',
        },
        {
          collection: 'things',
          index: 'dueAt_1',
          kind: 'missing',
          detail: 'should be {"dueAt":1}, partialFilterExpression {"dueAt":{"$exists":true}}',
        },
      ]);
      expect((await own.db?.listCollections().toArray())?.map((collection) => collection.name)).toEqual([]);
      await ensureIndexes(own);
      expect(await compareIndexes(own)).toEqual([]);
    });

    it('takes the indexes of a collection that is declared, at the first of several declarations', async () => {
      const own = await connection();
      const indexes = [{ fields: { ws: 1, slot: -1 } }, { fields: { dueAt: 1 }, where: 'dueAt' }] as const;
      for (let n = 0; n < 2; n += 1) declareCollection(own, 'declared', indexes);
      expect(await compareIndexes(own)).toMatchObject([
        { collection: 'declared', index: 'ws_1_slot_-1', detail: 'should be {"ws":1,"slot":-1}' },
        {
          collection: 'declared',
          index: 'dueAt_1',
          detail: 'should be {"dueAt":1}, partialFilterExpression {"dueAt":{"$exists":true}}',
        },
      ]);
      await ensureIndexes(own);
      expect(await compareIndexes(own)).toEqual([]);
    });

    it('distinguishes an index with other fields, options or another name from a missing one', async () => {
      const own = await declared();
      const things = own.collection('things');
      await things.createIndex({ slot: 1 }, { name: 'ws_1_slot_-1' });
      await things.createIndex({ dueAt: 1 }, { name: 'mine', partialFilterExpression: { dueAt: { $exists: true } } });
      expect(await compareIndexes(own)).toEqual([
        {
          collection: 'things',
          index: 'ws_1_slot_-1',
          kind: 'different',
          detail: 'is {"slot":1}, should be {"ws":1,"slot":-1}, unique',
        },
        { collection: 'things', index: 'dueAt_1', kind: 'different', detail: 'is called mine' },
      ]);
    });

    it('reports an undeclared index, in collections without a model too', async () => {
      const own = await declared();
      await ensureIndexes(own);
      await own.collection('things').createIndex({ extra: 1 });
      await own.collection('strangers').createIndex({ a: 1 }, { unique: true });
      expect(await compareIndexes(own)).toEqual([
        { collection: 'strangers', index: 'a_1', kind: 'undeclared', detail: 'is {"a":1}, unique' },
        { collection: 'things', index: 'extra_1', kind: 'undeclared', detail: 'is {"extra":1}' },
      ]);
    });

    it('makes an optional index only where it is asked for, and accepts its absence and its presence', async () => {
      const own = await connection();
      own.model('Thing', schema().index({ at: -1 }, optionalIndex), 'things');
      await ensureIndexes(own);
      expect(await createMissingIndexes(own)).toEqual([]);
      expect(await compareIndexes(own)).toEqual([]);
      const names = async () =>
        (await own.collection('things').listIndexes().toArray()).map(({ name }) => String(name));
      expect(await names()).not.toContain('at_-1');
      await ensureIndexes(own, { optional: true });
      expect(await names()).toContain('at_-1');
      expect(await compareIndexes(own)).toEqual([]);
    });

    it('creates missing indexes, drops none, and reports violating documents without values', async () => {
      const own = await declared();
      await own.collection('things').insertMany([
        { ws: 'acme-secret', slot: 7 },
        { ws: 'acme-secret', slot: 7 },
      ]);
      await own.collection('things').createIndex({ extra: 1 });
      expect(await createMissingIndexes(own)).toEqual([
        {
          collection: 'things',
          index: 'ws_1_slot_-1',
          refused: 'documents of the collection are alike in what it says is unique',
        },
        { collection: 'things', index: 'dueAt_1' },
      ]);
      expect((await compareIndexes(own)).map(({ kind, index }) => `${kind} ${index}`)).toEqual([
        'missing ws_1_slot_-1',
        'undeclared extra_1',
      ]);
      await own.collection('things').deleteMany({});
      expect(await createMissingIndexes(own)).toEqual([{ collection: 'things', index: 'ws_1_slot_-1' }]);
    });
  });
}
