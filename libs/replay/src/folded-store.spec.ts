import { createSecretKey } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { openLog } from '@opendsr-service/messaging';
import { openStorage } from '@opendsr-service/storage';
import type { Projection } from './projection';
import { withFoldedStore } from './folded-store';

const projection: Projection = {
  name: 'p',
  database: 'd',
  collection: 'c',
  topics: [],
  changingFields: [],
  startFold: () => Promise.resolve(() => Promise.resolve()),
  facts: () => ({}),
  merge: (_present, folded) => folded,
};
const tools = { now: new Date(0), keyKeepMs: 1, tombstoneKey: createSecretKey(Buffer.alloc(32)) };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scratch-spec-'));
});
afterEach(() => rm(folder, { recursive: true }));

const foldIn = async (scratchDir: string, work = () => readdir(scratchDir)): Promise<string[]> => {
  const log = await openLog({ embedded: { file: join(folder, 'log.db') } });
  try {
    return await withFoldedStore(projection, { log, tools, scratchDir }, work);
  } finally {
    await log.close();
  }
};

it('removes the scratch store completely', async () => {
  expect(await foldIn(folder)).toContainEqual(expect.stringMatching(/^dsr-projection-/));
  expect((await readdir(folder)).filter((name) => name.startsWith('dsr-'))).toEqual([]);
});

it('removes the scratch stores of killed processes, and nothing that is in use or foreign', async () => {
  const [left, used, other] = ['dsr-projection-left', 'dsr-projection-used', 'other'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  for (const one of [left, used, other]) {
    await mkdir(one);
    await writeFile(join(one, 'd.sqlite'), 'sealed');
  }
  const inUse = await openStorage({ dataDir: used, lock: true });
  expect(await foldIn(folder)).not.toContain('dsr-projection-left');
  expect((await readdir(folder)).filter((name) => !name.startsWith('log.db'))).toEqual([
    'dsr-projection-used',
    'other',
  ]);
  await inUse.close();
});

it('removes the scratch store on abort, and rejects with the reason', async () => {
  const stopping = new AbortController();
  const log = await openLog({ embedded: { file: join(folder, 'log.db') } });
  await log.topics.apply([TOPICS.keyTombstones], { replication: 1, minIsr: 1 });
  await log.publisher.publish(TOPICS.keyTombstones.name, [{ key: 'k', value: Buffer.from('v'), headers: {} }]);
  stopping.abort(new Error('stopped'));
  await expect(
    withFoldedStore(
      { ...projection, topics: [TOPICS.keyTombstones.name] },
      { log, tools, scratchDir: folder, stop: stopping.signal },
      () => Promise.resolve(),
    ),
  ).rejects.toThrow('stopped');
  expect((await readdir(folder)).filter((name) => name.startsWith('dsr-'))).toEqual([]);
  await log.close();
});

it.each([
  ['does not exist', 'ENOENT', 'none'],
  ['is not a folder', 'ENOTDIR', 'file'],
])('names the option for another folder in one line when the scratch folder %s', async (_what, code, name) => {
  await writeFile(join(folder, 'file'), '');
  const scratchDir = join(folder, name);
  await expect(foldIn(scratchDir)).rejects.toThrow(
    `the scratch folder ${scratchDir} is not writable (${code}): name another folder with --scratch`,
  );
});
