import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Connection } from 'mongoose';
import { Random } from './contract/random';
import type { Doc } from './contract/random-operations';
import * as make from './contract/random-operations';
import { EmbeddedUnsupported } from './embedded/errors';
import { openStorage } from './open-storage';
import type { Storage } from './storage';
import { FULL } from './testing/full';

type Collection = ReturnType<Connection['collection']>;
type Operation = (collection: Collection) => Promise<unknown>;

const seed = Number(process.env['DSR_TEST_SEED'] ?? 1);
const rounds = Number(process.env['DSR_TEST_ROUNDS'] ?? (FULL ? 15 : 6));
const operationsPerRound = 60;

/** One random operation, with the text to find it again by. */
function operation(random: Random): { text: string; run: Operation } {
  const filter = make.filter(random);
  // Without an order a write on several matches may choose any; an upsert without `_id` makes up its own, and forgets
  // it where its filter can never match.
  const target = (upsert: boolean): Doc => ({ ...(upsert ? make.equalities(random) : filter), _id: random.below(12) });
  const described = (name: string, run: Operation, ...args: unknown[]): { text: string; run: Operation } => ({
    text: `${name} ${inspect(args, { depth: 9, breakLength: Infinity })}`,
    run,
  });
  return random.pick<() => { text: string; run: Operation }>([
    () => {
      const doc = make.document(random, random.below(12));
      return described('insertOne', (c) => c.insertOne({ ...doc }), doc);
    },
    () => {
      const sort = make.sort(random);
      const [projection, limit] = [make.projection(random), random.below(4)];
      return described(
        'find',
        (c) => c.find(filter, { sort: sort as never, projection, limit }).toArray(),
        filter,
        sort,
        projection,
        limit,
      );
    },
    () => described('countDocuments', (c) => c.countDocuments(filter), filter),
    () => {
      const [update, upsert] = [make.update(random), random.chance(0.3)];
      const aimed = target(upsert);
      return described('updateOne', (c) => c.updateOne(aimed, update, { upsert }), aimed, update, upsert);
    },
    () => {
      const update = make.update(random);
      return described('updateMany', (c) => c.updateMany({ ...filter, _id: 2 } as never, update), filter, update);
    },
    () => {
      const [update, aimed] = [make.update(random), target(false)];
      const run: Operation = (c) => c.findOneAndUpdate(aimed, update, { returnDocument: 'after' });
      return described('findOneAndUpdate', run, aimed, update);
    },
    () => {
      const doc = make.document(random, undefined);
      delete doc['_id'];
      const aimed = target(false);
      return described('replaceOne', (c) => c.replaceOne(aimed, doc), aimed, doc);
    },
    () => {
      const aimed = target(false);
      return described('deleteOne', (c) => c.deleteOne(aimed), aimed);
    },
  ])();
}

async function outcome(collection: Collection, run: Operation): Promise<unknown> {
  try {
    return await run(collection);
  } catch (error) {
    if (error instanceof EmbeddedUnsupported) throw error;
    const { code } = error as { code?: number };
    if (code === undefined) throw error;
    return { refused: code === 11000 ? [code, (error as { keyPattern?: Doc }).keyPattern] : true };
  }
}

describe('the embedded driver answers random operations as MongoDB does', () => {
  let folder: string;
  let stores: Storage[];

  beforeAll(async () => {
    const mongodbUri = process.env['DSR_TEST_MONGODB_URI'];
    if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
    folder = mkdtempSync(join(tmpdir(), 'dsr-differential-'));
    stores = [
      await openStorage({ dataDir: folder }),
      await openStorage({ mongodbUri, databasePrefix: `differential_${process.pid}_` }),
    ];
  });

  afterAll(async () => {
    await (await (stores[1] as Storage).database('random')).dropDatabase();
    await Promise.all(stores.map((store) => store.close()));
    rmSync(folder, { recursive: true });
  });

  it.each(Array.from({ length: rounds }, (_, n) => seed + n))('seed %i', async (round) => {
    const random = new Random(round * 7919);
    const [embedded, mongodb] = (await Promise.all(
      stores.map(async (store) => (await store.database('random')).collection(`r${round}`)),
    )) as [Collection, Collection];
    for (const collection of [embedded, mongodb]) {
      await collection.createIndex({ n: 1, t: -1 });
      await collection.createIndex({ t: 1 }, { partialFilterExpression: { t: { $exists: true } } });
      await collection.createIndex(
        { n: -1 },
        { unique: true, partialFilterExpression: { n: { $gte: 4 } }, name: 'greatest' },
      );
    }
    for (let n = 0; n < operationsPerRound; n++) {
      const { text, run } = operation(random);
      const ours = await outcome(embedded, run).catch((error: unknown) => error);
      if (ours instanceof EmbeddedUnsupported) continue;
      const theirs = await outcome(mongodb, run);
      if (inspect(ours, { depth: 9 }) !== inspect(theirs, { depth: 9 }))
        throw new Error(`${text}\nembedded ${inspect(ours, { depth: 9 })}\nmongodb ${inspect(theirs, { depth: 9 })}`);
    }
    const all = (c: Collection): Promise<unknown[]> => c.find({}, { sort: { _id: 1 } }).toArray();
    expect(await all(embedded)).toEqual(await all(mongodb));
  });
});
