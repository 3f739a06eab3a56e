import fs, { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageContract } from './contract/storage.contract';
import { refusal } from './contract/subject';
import { duplicateKey } from './errors';
import { lockDirectory } from './lock';
import { openStorage } from './open-storage';
import { fillDiskOnce } from './testing/full-disk';

const dataDir = mkdtempSync(join(tmpdir(), 'dsr-storage-'));

afterEach(() => jest.restoreAllMocks());
afterAll(() => rmSync(dataDir, { recursive: true }));

storageContract({ kind: 'embedded', options: () => ({ dataDir }) });

it('answers no ping while one of its files finds the disk full', async () => {
  const storage = await openStorage({ dataDir });
  const [full] = [await storage.database('full'), await storage.database('contract')];
  await storage.ping();
  fillDiskOnce('CREATE TABLE');
  await expect(full.collection('c').insertOne({})).rejects.toMatchObject({ errcode: 13 });
  await expect(storage.ping()).rejects.toThrow('full');
  await storage.close();
});

it('opens a file at a later call that could not be opened at an earlier one', async () => {
  const storage = await openStorage({ dataDir });
  const file = join(dataDir, 'later.sqlite');
  mkdirSync(file);
  await expect(storage.database('later')).rejects.toMatchObject({ errcode: 14 });
  rmdirSync(file);
  fillDiskOnce('CREATE TABLE');
  await expect(storage.database('later')).rejects.toMatchObject({ errcode: 13 });
  expect(existsSync(`${file}-wal`)).toBe(false);
  await storage.ping();
  expect(await (await storage.database('later')).collection('c').countDocuments({})).toBe(0);
  await storage.close();
});

it('frees its folder where a file could not be opened', async () => {
  const folder = join(dataDir, 'held');
  const storage = await openStorage({ dataDir: folder, lock: true });
  fillDiskOnce('CREATE TABLE');
  const opening = expect(storage.database('full')).rejects.toMatchObject({ errcode: 13 });
  await Promise.all([opening, storage.close()]);
  lockDirectory(folder).release();
});

describe('an index of documents of several pages', () => {
  const ids = Array.from({ length: 12 }, (_, n) => n + 1);
  const open = async () => {
    const storage = await openStorage({ dataDir });
    return { storage, documents: (await storage.database('pages')).collection<{ _id: number; a: number }>('c') };
  };
  let { storage, documents } = {} as Awaited<ReturnType<typeof open>>;
  const indexes = async (one = documents) => (await one.listIndexes().toArray()).length;
  const byIndex = async (one = documents) =>
    (
      await one
        .find({ a: { $gt: 0 } })
        .sort({ a: 1 })
        .toArray()
    ).map(({ _id }) => _id);

  beforeEach(async () => {
    ({ storage, documents } = await open());
    await documents.insertMany(ids.map((n) => ({ _id: n, a: n, pad: 'x'.repeat(300_000) })));
  });
  afterEach(async () => {
    await (await storage.database('pages')).dropDatabase();
    await storage.close();
  });

  it('is made in writes of two documents each, and has what others wrote between them; only then it is read', async () => {
    const other = await open();
    expect(await indexes(other.documents)).toBe(1);
    const flushes = jest.spyOn(fs, 'fdatasync');
    const made = documents.createIndex({ a: 1 });
    await documents.insertOne({ _id: 13, a: 13 });
    await documents.updateOne({ _id: 1 }, { $set: { a: 20 } });
    await documents.updateOne({ _id: 12 }, { $set: { a: 21 } });
    await documents.deleteOne({ _id: 2 });
    expect(flushes).toHaveBeenCalledTimes(4);
    const wanted = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 1, 12];
    for (const one of [documents, other.documents])
      expect([await indexes(one), await byIndex(one)]).toEqual([1, wanted]);
    await made;
    expect(flushes).toHaveBeenCalledTimes(7);
    for (const one of [documents, other.documents])
      expect([await indexes(one), await byIndex(one)]).toEqual([2, wanted]);
    await other.storage.close();
  });

  it('is made on from where its process ended', async () => {
    const made = expect(documents.createIndex({ a: 1 })).rejects.toThrow('closed');
    await documents.insertOne({ _id: 13, a: 13 });
    await Promise.all([made, storage.close()]);
    ({ storage, documents } = await open());
    expect(await indexes()).toBe(1);
    await documents.insertOne({ _id: 14, a: 14 });
    const flushes = jest.spyOn(fs, 'fdatasync');
    await documents.createIndex({ a: 1 });
    expect(flushes.mock.calls.length).toBeLessThan(7);
    expect(await indexes()).toBe(2);
    expect(await byIndex()).toEqual([...ids, 13, 14]);
  });

  it('makes way for one that a later release declares in its place where its process ended before it was whole', async () => {
    const made = expect(documents.createIndex({ a: 1 })).rejects.toThrow('closed');
    await documents.insertOne({ _id: 13, a: 13 });
    await Promise.all([made, storage.close()]);
    ({ storage, documents } = await open());
    await documents.createIndex({ a: 1, _id: 1 }, { name: 'a_1' });
    expect(await documents.listIndexes().toArray()).toMatchObject([{ name: '_id_' }, { key: { a: 1, _id: 1 } }]);
    expect(await byIndex()).toEqual([...ids, 13]);
    expect((await refusal(documents.createIndex({ a: 1 }))) as object).toMatchObject({ code: 86 });
  });

  it('is refused to the first of two that make different ones of one name at the same time', async () => {
    const other = await open();
    const made = refusal(documents.createIndex({ a: 1 }));
    await other.documents.createIndex({ a: 1, _id: 1 }, { name: 'a_1' });
    expect((await made) as object).toMatchObject({ code: 86 });
    expect(await documents.listIndexes().toArray()).toMatchObject([{ name: '_id_' }, { key: { a: 1, _id: 1 } }]);
    await other.storage.close();
  });

  it('refuses duplicates of what it has, is removed where it finds some, and may be made again', async () => {
    const made = refusal(documents.createIndex({ a: 1 }, { unique: true }));
    await documents.updateOne({ _id: 1 }, { $set: { a: 2 } });
    const late = await refusal(documents.insertOne({ _id: 13, a: 12 }));
    expect([late, await made].map(duplicateKey)).toEqual(Array(2).fill({ keyPattern: { a: 1 } }));
    expect(await indexes()).toBe(1);
    await documents.insertOne({ _id: 13, a: 12 });
    await documents.createIndex({ a: 1 });
    expect(await byIndex()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });
});
