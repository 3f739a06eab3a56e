import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageContract } from './contract/storage.contract';
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
