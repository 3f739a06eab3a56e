import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { openStorage } from '../open-storage';
import type { Storage } from '../storage';
import { EmbeddedUnsupported } from './errors';

type Collection = ReturnType<Connection['collection']>;

const filters: Record<string, object> = {
  $where: { $where: 'true' },
  'a function in a filter': { a: () => true },
  'a regular expression': { a: /a/ },
  'a regular expression in a list': { a: { $in: [/a/] } },
  $regex: { a: { $regex: 'a' } },
  'a Long': { a: mongoose.mongo.Long.fromNumber(1) },
  'a timestamp': { a: { $gt: new mongoose.mongo.Timestamp({ t: 1, i: 2 }) } },
  $expr: { $expr: { $eq: ['$a', '$b'] } },
  $text: { $text: { $search: 'a' } },
  $jsonSchema: { $jsonSchema: {} },
  $near: { a: { $near: [0, 0] } },
  $bitsAllSet: { a: { $bitsAllSet: 1 } },
  'an unknown operator': { a: { $foo: 1 } },
  'an unknown operator inside of $or': { $or: [{ a: { $not: { $foo: 1 } } }] },
  $elemMatch: { a: { $elemMatch: { b: 1 } } },
  $all: { a: { $all: [1] } },
  $type: { a: { $type: 'string' } },
};

const updates: Record<string, unknown> = {
  $currentDate: { $currentDate: { a: true } },
  $bit: { $bit: { a: { and: 1 } } },
  $rename: { $rename: { a: 'b' } },
  $max: { $max: { a: 1 } },
  '$pull of a value': { $pull: { l: 1 } },
  '$inc of a Long': { $inc: { a: mongoose.mongo.Long.fromNumber(1) } },
  $pop: { $pop: { a: 1 } },
  'an update inside of an array': { $set: { 'l.0': 1 } },
  'the positional operator': { $set: { 'l.$': 1 } },
  'the positional operator for all': { $set: { 'l.$[].s': 1 } },
  'an update pipeline': [{ $set: { a: 1 } }],
};

const calls: Record<string, (c: Collection, connection: Connection) => unknown> = {
  'a session': (c) => c.findOne({}, { session: {} as never }),
  startSession: (_, connection) => connection.startSession(),
  'a transaction': (_, connection) => connection.transaction(() => Promise.resolve()),
  'change streams': (c) => c.watch(),
  collation: (c) => c.find({}, { collation: { locale: 'en' } }),
  hint: (c) => c.find({}, { hint: 'a_1' }),
  arrayFilters: (c) => c.updateOne({}, { $set: { a: 1 } }, { arrayFilters: [{ x: 1 }] }),
  let: (c) => c.updateOne({}, { $set: { a: 1 } }, { let: { a: 1 } }),
  skip: (c) => c.find({}, { skip: 1 }),
  'skip in a count': (c) => c.countDocuments({}, { skip: 1 }),
  tailable: (c) => c.find({}, { tailable: true }),
  'an unknown option': (c) => c.deleteOne({}, { foo: 1 } as never),
  'an unknown option of a bulk operation': (c) =>
    c.bulkWrite([{ updateOne: { filter: {}, update: { $set: { a: 1 } }, arrayFilters: [{}] } }]),
  aggregate: (c) => c.aggregate([{ $match: {} }]),
  distinct: (c) => c.distinct('a'),
  findOneAndDelete: (c) => c.findOneAndDelete({}),
  findOneAndReplace: (c) => c.findOneAndReplace({}, {}),
  'to return a document from before an update': (c) => c.findOneAndUpdate({}, { $set: { a: 1 } }),
  'the order of an update': (c) => c.updateOne({}, { $set: { a: 1 } }, { sort: { a: 1 } }),
  'to sort by an array': async (c) => {
    await c.insertOne({ l: [] });
    return c.find({}, { sort: { l: 1 } }).toArray();
  },
  'an order that is no document': (c) => c.find({}, { sort: 'a' }),
  'a computed projection': (c) => c.find({}, { projection: { a: '$b' } }),
  'a projection operator': (c) => c.find({}, { projection: { l: { $slice: 1 } } }),
  'a text index': (c) => c.createIndex({ a: 'text' }),
  'a sparse index': (c) => c.createIndex({ a: 1 }, { sparse: true }),
  'a TTL index': (c) => c.createIndex({ a: 1 }, { expireAfterSeconds: 1 }),
  $and: (c) => c.createIndex({ a: 1 }, { partialFilterExpression: { $and: [{ a: 1 }] } }),
  'a wildcard index': (c) => c.createIndex({ '$**': 1 }),
  mapReduce: (c) => (c as unknown as { initializeOrderedBulkOp(): unknown }).initializeOrderedBulkOp(),
  rename: (c) => c.rename('b'),
  'a database command': (_, connection) => connection.db?.command({ ping: 1 }),
};

describe('the embedded store says so when it does not support', () => {
  let folder: string;
  let storage: Storage;
  let connection: Connection;
  let collection: Collection;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dsr-unsupported-'));
    storage = await openStorage({ dataDir: folder });
    connection = await storage.database('unsupported');
    collection = connection.collection('c');
    await collection.insertOne({ a: 1, l: [{ s: 1 }] });
  });

  afterAll(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  const refused = (call: () => unknown): Promise<void> =>
    expect(Promise.resolve().then(call)).rejects.toThrow(EmbeddedUnsupported);

  it.each(Object.keys(filters))('%s', (name) => refused(() => collection.findOne(filters[name] as object)));
  it.each(Object.keys(updates))('%s', (name) => refused(() => collection.updateOne({}, updates[name] as object)));
  it.each(Object.keys(calls))('%s', (name) => refused(() => calls[name]?.(collection, connection)));

  it('an array or Decimal128 in an indexed field, and then writes nothing', async () => {
    const c = connection.collection('indexed');
    await c.createIndex({ 'a.b': 1 });
    await refused(() => c.insertOne({ a: [{ b: 1 }] }));
    await refused(() => c.insertOne({ a: { b: [1] } }));
    await refused(() => c.insertOne({ a: { b: mongoose.mongo.Decimal128.fromString('1') } }));
    await c.insertOne({ a: { b: 1 } });
    await refused(() => c.updateOne({ 'a.b': 1 }, { $set: { a: [1] } }));
    expect(await c.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ a: { b: 1 } }]);
  });

  it('leaves the global mongoose alone', () => {
    expect(connection.base === mongoose).toBe(false);
    expect(mongoose.connection.constructor).not.toBe(connection.constructor);
  });
});
