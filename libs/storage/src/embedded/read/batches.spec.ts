import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteFile } from '../../sqlite/file';
import { decode } from '../bson';
import { EmbeddedCollection } from '../collection';
import { prepareCatalog } from '../index/catalog';
import { batchesOf } from './batches';
import { queryFrom } from './query';

const DOCUMENTS = 600;
const NAME = 'things';

let folder: string;
let file: SqliteFile;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dsr-batches-'));
  file = SqliteFile.open(join(folder, 'a.sqlite'));
  await file.write(prepareCatalog);
  const things = new EmbeddedCollection(file, NAME);
  await things.createIndex({ at: -1 });
  await things.createIndex({ ws: 1, at: -1 });
  await things.insertMany(
    Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: n, at: n, odd: n % 2 === 1, ws: `ws${n % 3}` })),
  );
});
afterAll(async () => {
  await file.close();
  rmSync(folder, { recursive: true });
});

/** How many documents are found for the first `limit` of a query in the order of the index; how many are decoded, also in one turn. */
async function readsOf(filter: object, limit: number) {
  let decoded = 0;
  let found = 0;
  let inTurn = 0;
  let mostInTurn = 0;
  const read = (bytes: Uint8Array) => {
    decoded += 1;
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += 1;
    mostInTurn = Math.max(mostInTurn, inTurn);
    return decode(bytes);
  };
  for await (const batch of batchesOf({ file, collection: NAME, read }, queryFrom(filter, { at: -1 }), limit)) {
    found += batch.length;
    if (found >= limit) break;
  }
  return { decoded, found, mostInTurn };
}

it.each([1, 16, 100, 500])('reads %i documents for so many, where all match', async (limit) => {
  expect(await readsOf({}, limit)).toMatchObject({ decoded: limit, found: limit });
});

it('reads as many as it takes where a filter refuses some', async () => {
  const { decoded, found } = await readsOf({ odd: true }, 100);
  expect(found).toBeGreaterThanOrEqual(100);
  expect(decoded).toBeLessThan(DOCUMENTS);
  expect(await readsOf({ at: -1 }, 100)).toMatchObject({ found: 0 });
});

it('reads so many of each value of a field that stands before the order', async () => {
  const among = { ws: { $in: ['ws0', 'ws2'] } };
  expect(await readsOf(among, 100)).toMatchObject({ decoded: 200, found: 100 });
  expect(await readsOf({ ...among, at: { $gte: 0 } }, 100)).toMatchObject({ decoded: 200, found: 100 });
});

it.each([
  ['small', 1_024, 10],
  ['large', 200, 1_000],
])('lets other work run between values of few %s documents each, once it has read %i', async (size, most, length) => {
  const values = Array.from({ length: (2 * most) / 10 }, (_, n) => `${size} ${n}`);
  const filler = 'x'.repeat(length);
  const things = new EmbeddedCollection(file, NAME);
  await things.insertMany(values.flatMap((ws) => Array.from({ length: 10 }, (_, at) => ({ ws, at, filler }))));
  const { decoded, mostInTurn } = await readsOf({ ws: { $in: values } }, 100);
  expect(decoded).toBe(values.length * 10);
  expect(mostInTurn).toBeLessThan(most + 10);
});
