import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '@opendsr-service/messaging';
import type { Projection } from './projection';
import { withFold } from './scratch';

const projection: Projection = { name: 'p', database: 'd', collection: 'c', topics: [], into: () => Promise.resolve(() => Promise.resolve()), facts: () => ({}), merged: (_present, folded) => folded };
const tools = { now: new Date(0), keyKeepMs: 1 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scratch-spec-'));
});
afterEach(() => rm(folder, { recursive: true }));

const foldIn = async (scratchDir: string): Promise<string[]> => {
  const log = await openLog({ embedded: { file: join(folder, 'log.db') } });
  try {
    return await withFold(projection, { log, tools, scratchDir }, () => readdir(scratchDir));
  } finally {
    await log.close();
  }
};

it('leaves nothing of the scratch store behind', async () => {
  expect(await foldIn(folder)).toContainEqual(expect.stringMatching(/^dsr-projection-/));
  expect((await readdir(folder)).filter((name) => name.startsWith('dsr-'))).toEqual([]);
});

it.each([['is not there', 'ENOENT', 'none'], ['is no folder', 'ENOTDIR', 'file']])('says in one line which option names another folder, where the one for it %s', async (_what, code, name) => {
  await writeFile(join(folder, 'file'), '');
  const scratchDir = join(folder, name);
  await expect(foldIn(scratchDir)).rejects.toThrow(`nothing can be written in ${scratchDir} (${code}), where the log is folded: name a folder for it with --scratch`);
});
