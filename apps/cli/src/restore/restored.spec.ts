import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestKey, TOPICS } from '@opendsr-service/contracts';
import type { LogRecord, Verdict } from '@opendsr-service/messaging';
import { Replica } from '@opendsr-service/messaging/testing';
import { systemClock, type OpenStores } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import { ensureMasterKey, Vault } from '@opendsr-service/vault';
import { command, EXIT } from '../command';
import { databases } from '../db/databases';
import { withFoldingStores } from '../projections/folding.wiring';
import { foldable } from '../projections/foldable';
import { projectionsVerify } from '../projections/projections.command';
import { say as sayTo } from '../testing/say';
import { withServiceStores } from '../testing/stores';
import { restoreCommand } from './restore.command';
import { restored } from './restored';

const commands = [projectionsVerify, restoreCommand];
const GROUP = 'callback-dispatcher';
const KEY = requestKey('acme', '475974fa-6b42-4370-bb56-b5d845686bb5');
const record = (offset: number): LogRecord => ({
  topic: TOPICS.requestEvents.name,
  partition: 0,
  offset: String(offset),
  key: KEY,
  value: Buffer.from(`${offset}`),
  headers: {},
  timestampMs: 7,
});

let dataDir: string;
let scratch: string;

const say = (line: string, more: { readonly untilStopped?: () => Promise<void> } = {}) =>
  sayTo(line, { commands, env: { DATA_DIR: dataDir }, ...more });

const asService = <T>(work: (stores: OpenStores) => Promise<T>): Promise<T> => withServiceStores(dataDir, work);

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cli-restored-'));
  scratch = mkdtempSync(join(tmpdir(), 'cli-scratch-'));
  await ensureMasterKey(join(dataDir, 'keys', 'master.key'));
  await asService(({ events }) => events.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 }));
});
afterEach(() => {
  for (const folder of [dataDir, scratch]) rmSync(folder, { recursive: true });
});

/** The callback-dispatcher on its database, with a configured verdict for each record. */
async function dispatcherOn({ storage }: OpenStores, verdict: Verdict, handled: string[]): Promise<Replica> {
  const connection = await storage.database('callback_dispatcher');
  (await databases()).find(({ name }) => name === 'callback_dispatcher')?.models(connection);
  await ensureIndexes(connection);
  const answer = ({ offset }: LogRecord): Promise<Verdict> => {
    handled.push(offset);
    return Promise.resolve(verdict);
  };
  return new Replica({ connection, group: GROUP, now: () => systemClock.now().getTime(), answer });
}

it('frees a key that a parked record of the copy holds, though it was redriven or dropped since', async () => {
  const handled: string[] = [];
  await asService(async (stores) => (await dispatcherOn(stores, { park: 'odd' }, [])).consume(record(1), record(2)));
  const { code, out } = await say('restore --database callback_dispatcher --json');
  expect(code).toBe(0);
  expect(JSON.parse(out.join(''))).toMatchObject({ databases: [{ database: 'callback_dispatcher', parkedMarked: 1 }] });
  await asService(async (stores) => {
    const dispatcher = await dispatcherOn(stores, 'done', handled);
    await dispatcher.redrive();
    await dispatcher.consume(record(3));
    expect(handled).toEqual(['1', '2', '3']);
    expect(await (await stores.storage.database('callback_dispatcher')).collection('parked').countDocuments({})).toBe(
      0,
    );
  });
  expect((await say('restore --database callback_dispatcher')).out).not.toContainEqual(
    expect.stringContaining('parked'),
  );
});

it('says how many parked records are handled again', async () => {
  await asService(async (stores) => (await dispatcherOn(stores, { park: 'odd' }, [])).consume(record(1)));
  expect((await say('restore --database callback_dispatcher')).out).toContain(
    'callback_dispatcher: 1 parked records of the copy are handled again',
  );
});

it.each(['restore', 'restore --database ingestion', 'restore --database keys', 'projections verify'])(
  'ends early where it is stopped, and leaves no scratch folder: dsr %s',
  async (line) => {
    expect(await say(`${line} --scratch ${scratch}`, { untilStopped: () => Promise.resolve() })).toEqual({
      code: 1,
      out: [],
      err: ['stopped before the end: run it again'],
    });
    expect(readdirSync(scratch)).toEqual([]);
  },
);

it.each([
  ['what is forgotten', 'forget', { marked: 0, rewound: [] }],
  ['its first group', 'ingestion-data', { marked: 1, rewound: ['ingestion-data'] }],
  ['its last group', 'ingestion-requests', { marked: 1, rewound: ['ingestion-data', 'ingestion-requests'] }],
])('begins nothing more after it is stopped in the midst of %s', async (_title, last, expected) => {
  const stopping = new AbortController();
  const rewound: string[] = [];
  const reach = (step: string): Promise<void> => {
    if (step === last) stopping.abort(new Error('stopped'));
    return Promise.resolve();
  };
  const rewind = (group: string): Promise<void> => (rewound.push(group), reach(group));
  await asService(async ({ storage, events }) => {
    const connection = await storage.database('ingestion');
    await connection
      .collection<{ _id: string }>('parked')
      .insertOne({ _id: 'x', group: 'ingestion-data', reason: 'odd' } as { _id: string });
    await connection
      .collection<{ _id: string }>('profiles')
      .insertOne({ _id: 'y', ws: 'acme', kid: 'z' } as { _id: string });
    const { services } = await foldable();
    const [ingestion] = services.filter(({ service }) => service === 'ingestion');
    if (!ingestion) throw new Error('there is no ingestion');
    const vault = new Vault(
      await storage.database('keys'),
      await ensureMasterKey(join(dataDir, 'keys', 'master.key')),
      () => systemClock.now().getTime(),
      { tombstones: events.publisher },
    );
    const operation = { ...ingestion, restoring: { ...ingestion.restoring, foldTombstones: () => reach('forget') } };
    const folding = {
      tools: { now: systemClock.now(), keyKeepMs: 1, tombstoneKey: createSecretKey(Buffer.alloc(32)) },
      scratchDir: scratch,
      progress: undefined,
      stop: stopping.signal,
    };
    await expect(
      restored(operation, {
        storage,
        events: { read: () => Promise.resolve({}), rewind },
        vault,
        clock: systemClock,
        folding,
      }),
    ).rejects.toThrow('stopped');
    expect({
      marked: await connection.collection('parked').countDocuments({ redriveAt: { $exists: true } }),
      rewound,
    }).toEqual(expected);
  });
});

it('does not say that all is well where a service was started meanwhile', async () => {
  const work = command({
    words: 'work',
    meaning: '',
    options: {},
    run: (_given, terminal) =>
      withFoldingStores(terminal, { isExclusive: true }, async ({ stores: { events } }) => {
        const parking = {
          assigned: () => undefined,
          parkedKeys: () => Promise.resolve(new Set<string>()),
          park: () => Promise.resolve(),
        };
        await events.consume({
          group: 'gateway',
          topics: [TOPICS.requestEvents.name],
          handle: (records) => Promise.resolve(records.map(() => 'done')),
          parking,
          isInfrastructureError: () => false,
          onFatal: () => undefined,
        });
        return EXIT.ok;
      }),
  });
  const err = ['a service was started meanwhile: stop all services, and run this again: gateway still reads the log'];
  expect(await sayTo('work', { commands: [work], env: { DATA_DIR: dataDir } })).toEqual({ code: 1, out: [], err });
});
