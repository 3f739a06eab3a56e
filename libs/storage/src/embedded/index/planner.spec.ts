import { DatabaseSync } from 'node:sqlite';
import type { Doc } from '../bson';
import { decode, encode } from '../bson';
import { matches, queryFrom } from '../read/query';
import { insertDocument } from '../write/documents';
import type { Collection } from './catalog';
import { makeCollection, prepareCatalog } from './catalog';
import { specFrom } from './definition';
import { createIndex } from './manage';
import { planFor } from './planner';

function collectionWith(
  indexes: readonly (readonly [key: Doc, options?: Doc])[],
  docs: readonly Doc[] = [],
): Collection {
  const db = new DatabaseSync(':memory:');
  prepareCatalog(db);
  for (const [key, options = {}] of indexes) createIndex(db, 'c', specFrom(key, options));
  const collection = makeCollection(db, 'c');
  for (const doc of docs) insertDocument(collection, doc, encode(doc));
  return collection;
}

const exists = (field: string): Doc => ({ partialFilterExpression: { [field]: { $exists: true } } });
const requests: [Doc, Doc?][] = [
  [
    { ws: 1, fingerprint: 1 },
    { unique: true, ...exists('fingerprint') },
  ],
  [
    { ws: 1, groupId: 1, slot: 1 },
    { unique: true, ...exists('slot') },
  ],
  [{ startAt: 1 }, exists('startAt')],
  [{ ws: 1, kid: 1 }],
  [{ status: 1, type: 1 }, { partialFilterExpression: { status: { $gte: 'in_progress' } } }],
];

const chosen = (filter: Doc, sort?: Doc): [string | undefined, boolean] => {
  const query = queryFrom(filter, sort);
  const plan = planFor(collectionWith(requests), query.filter, query.sort);
  return [plan.index?.spec.name, plan.sorted];
};

describe('the planner', () => {
  it('reads what is due from the index of the date, in its order', () => {
    expect(chosen({ startAt: { $lte: new Date() } }, { startAt: 1 })).toEqual(['startAt_1', true]);
    expect(chosen({ startAt: { $lte: new Date() } }, { startAt: -1 })).toEqual(['startAt_1', true]);
  });

  it('finds a document by a unique key or by _id, whatever else the filter says', () => {
    expect(chosen({ ws: 'w', fingerprint: 'f', status: 'pending' })).toEqual(['ws_1_fingerprint_1', true]);
    expect(chosen({ _id: 'w:1', ws: 'w', kid: 'k' })[0]).toBe('_id_');
    expect(chosen({ $and: [{ _id: { $in: ['a', 'b'] } }, { ws: 'w' }] })[0]).toBe('_id_');
  });

  it('takes a partial index only where the filter implies that the document is in it', () => {
    expect(chosen({ ws: 'w', groupId: 'g', slot: { $exists: true } })[0]).toBe('ws_1_groupId_1_slot_1');
    expect(chosen({ ws: 'w', groupId: 'g', slot: { $gte: 0 } }, { slot: 1 })).toEqual(['ws_1_groupId_1_slot_1', true]);
    expect(chosen({ ws: 'w', groupId: 'g' })[0]).toBe('ws_1_kid_1');
    expect(chosen({ ws: 'w', fingerprint: null })[0]).toBe('ws_1_kid_1');
    expect(chosen({ startAt: { $exists: false } })[0]).toBeUndefined();
  });

  it('takes a partial index over a range for values that lie in it, and for no others', () => {
    for (const status of ['in_progress', 'pending', { $in: ['pending', 'in_progress'] }])
      expect(chosen({ status, type: 'access' })[0]).toBe('status_1_type_1');
    for (const status of ['completed', 7, null, { $in: ['pending', 'completed'] }, { $gte: 'a' }])
      expect(chosen({ status, type: 'access' })[0]).toBeUndefined();
  });

  it('sorts itself where no index has the order', () => {
    expect(chosen({ ws: 'w', kid: 'k' }, { v: 1 })).toEqual(['ws_1_kid_1', false]);
    expect(chosen({ state: 'x' })).toEqual([undefined, true]);
  });

  it('reads only the keys in the range that the filter gives', () => {
    const docs = Array.from({ length: 60 }, (_, n) => ({ _id: n, ws: `w${n % 3}`, n: n % 20, t: new Date(n) }));
    for (const index of [{ ws: 1, n: 1 }, { ws: -1, n: -1 }, { ws: 1, n: -1 }, { n: -1 }, { t: -1 }, { t: 1 }]) {
      const [indexed, plain] = [collectionWith([[index]], docs), collectionWith([], docs)];
      for (const filter of [
        { ws: 'w1', n: { $gt: 3, $lte: 7 } },
        { ws: { $in: ['w0', 'w2'] }, n: { $gte: 19 } },
        { n: { $lt: 3 } },
        { n: { $gt: 3 } },
        { ws: 'w1' },
        { ws: { $gt: 'w1' } },
        { ws: { $lte: 'w1' } },
        { t: { $gte: new Date(50) } },
        { t: { $lt: new Date(3) } },
        { ws: 'w1', n: { $in: [] } },
        { n: { $lte: 'text' } },
      ]) {
        for (const sort of [{ n: 1, _id: 1 }, { n: -1, _id: -1 }, { t: 1 }, { t: -1 }]) {
          const ids = (collection: Collection): unknown[] =>
            [...matches(collection, queryFrom(filter, sort))].map(({ doc }) => doc['_id']);
          expect({ index, filter, sort, ids: ids(indexed) }).toEqual({ index, filter, sort, ids: ids(plain) });
        }
      }
    }
  });

  it('reads no document that the last field of its key leaves out', () => {
    const docs = Array.from({ length: 100 }, (_, n) => ({ _id: n, t: new Date(n), host: n % 10 ? 'full' : `h${n}` }));
    const collection = collectionWith([[{ t: 1, host: 1 }]], docs);
    const read: unknown[] = [];
    const reading = (bytes: Uint8Array): Doc => {
      const doc = decode(bytes);
      read.push(doc['_id']);
      return doc;
    };
    const found = [
      ...matches(
        collection,
        queryFrom({ t: { $lte: new Date(50) }, host: { $nin: ['full', 'h20', 'h30'] } }, { t: 1 }),
        reading,
      ),
    ];
    expect(found.map(({ doc }) => doc['_id'])).toEqual([0, 10, 40, 50]);
    expect(read).toEqual([0, 10, 40, 50]);
  });
});
