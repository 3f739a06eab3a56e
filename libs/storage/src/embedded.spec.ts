import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageContract } from './contract/storage.contract';
import { openStorage } from './open-storage';
import { fillDiskOnce } from './testing/full-disk';

const dataDir = mkdtempSync(join(tmpdir(), 'dsr-storage-'));

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
