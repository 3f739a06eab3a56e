import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChild, removeChild, startChild } from './testing/children';
import { DataDirectoryHeld } from './lock';
import { openStorage } from './open-storage';

describe('the lock of a data folder', () => {
  let dataDir: string;

  beforeAll(buildChild);
  afterAll(removeChild);
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'dsr-lock-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('keeps a second service out of another process, lets tools in, and falls with its holder after kill -9', async () => {
    const holder = startChild('hold', { dataDir, lock: true }, 'c');
    await holder.heard(1);
    await expect(openStorage({ dataDir, lock: true })).rejects.toThrow(DataDirectoryHeld);
    const second = startChild('hold', { dataDir, lock: true }, 'c');
    await second.ended;
    expect(second.lines).toEqual(['failed DataDirectoryHeld']);
    const tool = await openStorage({ dataDir, lock: false });
    await (await tool.database('contract')).collection('c').insertOne({ a: 1 });
    await tool.close();
    holder.process.kill('SIGKILL');
    await holder.ended;
    const next = await openStorage({ dataDir, lock: true });
    expect(await (await next.database('contract')).collection('c').countDocuments({})).toBe(1);
    await next.close();
  });

  it('keeps a second service of the same process out until the first closes', async () => {
    const first = await openStorage({ dataDir, lock: true });
    await expect(openStorage({ dataDir, lock: true })).rejects.toThrow(DataDirectoryHeld);
    await first.close();
    await (await openStorage({ dataDir, lock: true })).close();
  });

  it('requires exactly one store', async () => {
    await expect(openStorage({})).rejects.toThrow('exactly one');
    await expect(openStorage({ dataDir, mongodbUri: 'mongodb://127.0.0.1' })).rejects.toThrow('exactly one');
  });
});
