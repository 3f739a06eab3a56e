import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog, type EventLog } from '@opendsr-service/messaging';
import { openStorage, type Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { Projection, StoredDocument } from './projection';
import { rebuildProjection } from './rebuild';

interface Counted extends StoredDocument {
  readonly v: number;
  readonly list?: readonly number[];
}

let folder: string;
let storage: Storage;
let log: EventLog;
let connection: Connection;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rebuild-spec-'));
  storage = await openStorage({ dataDir: folder });
  log = await openLog({ embedded: { file: join(folder, 'log.db') } });
  connection = await storage.database('d');
});
afterEach(async () => {
  await log.close();
  await storage.close();
  await rm(folder, { recursive: true });
});

const folded: readonly Counted[] = ['a', 'b', 'c'].map((_id) => ({ _id, ws: 'w', v: 5, list: [] }));
const documents = () => connection.collection<Counted>('c');
const all = () =>
  documents()
    .find({}, { sort: { _id: 1 } })
    .toArray();

/** `meanwhile` writes to the database between the read and the write of documents. */
async function rebuildWhile(meanwhile: () => Promise<unknown>) {
  let writing: Promise<unknown> | undefined;
  const projection: Projection<Counted> = {
    ...{ name: 'p', database: 'd', collection: 'c', topics: [], changingFields: ['v', 'list'] },
    startFold: async (scratch) => {
      await scratch.collection<Counted>('c').insertMany([...folded]);
      return () => Promise.resolve();
    },
    facts: ({ v, list }) => ({ v, list }),
    merge: (_present, one) => {
      writing ??= meanwhile();
      return one;
    },
  };
  const comparison = await rebuildProjection(projection, {
    connection,
    log,
    tools: { now: new Date(0), keyKeepMs: 1, tombstoneKey: createSecretKey(Buffer.alloc(32)) },
    scratchDir: folder,
  });
  await writing;
  return comparison;
}

it.each([
  ['changed', { $set: { v: 2 } }, { v: 2 }],
  ['extended a list in', { $push: { list: 9 } }, { v: 1, list: [9] }],
])(
  'keeps a document that another writer %s meanwhile, reports it, and writes the rest',
  async (_what, change, left) => {
    await documents().insertMany([
      { _id: 'a', ws: 'w', v: 1 },
      { _id: 'b', ws: 'w', v: 1 },
    ]);
    const { differing, differences } = await rebuildWhile(() => documents().updateOne({ _id: 'a', ws: 'w' }, change));
    expect(differing).toEqual({ missing: 1, differs: 1, surplus: 0, 'beyond the log': 0, 'changed meanwhile': 1 });
    expect(differences).toContainEqual({ id: 'a', kind: 'changed meanwhile', what: ['list', 'v'] });
    expect(await all()).toEqual([{ _id: 'a', ws: 'w', ...left }, ...folded.slice(1)]);
  },
);

it('keeps a document that another writer added meanwhile', async () => {
  const { differing } = await rebuildWhile(() => documents().insertOne({ _id: 'c', ws: 'w', v: 1 }));
  expect(differing).toMatchObject({ missing: 2, 'changed meanwhile': 1 });
  expect(await all()).toEqual([...folded.slice(0, 2), { _id: 'c', ws: 'w', v: 1 }]);
});
