import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  evidenceLeaf,
  keyTombstones,
  messageId,
  profileKey,
  requestEvents,
  requestKey,
  TOPICS,
  type RequestEvent,
} from '@opendsr-service/contracts';
import type { OpenStores } from '@opendsr-service/service';
import {
  ensureMasterKey,
  GenerationFiles,
  leafKeyOf,
  MasterSeal,
  openVault,
  tombstoneKeyOf,
} from '@opendsr-service/vault';
import { projectionsRebuild, projectionsVerify } from '../projections/projections.command';
import { say as sayTo } from '../testing/say';
import { withServiceStores } from '../testing/stores';
import { restoreCommand } from './restore.command';

const WS = 'acme';
const AT = '2026-11-21T09:00:00.000Z';
const srid = randomUUID();

const admission = {
  ...{
    controllerId: 'c',
    apiVersion: '2.0',
    type: 'access',
    submittedTime: AT,
    receivedAt: AT,
    startAt: AT,
    expectedAt: AT,
    groupId: null,
  },
  ...{ fingerprint: 'f', kid: 'lost', identities: 'x'.repeat(40), callbacks: [] },
} as const;
const event = (version: number, more: object) =>
  ({
    id: messageId(WS, srid, version),
    ws: WS,
    srid,
    version,
    commandSeq: version,
    at: AT,
    ...more,
  }) as unknown as RequestEvent;

let dataDir: string;
let scratch: string;

const say = (line: string) =>
  sayTo(line, { commands: [projectionsVerify, projectionsRebuild, restoreCommand], env: { DATA_DIR: dataDir } });

const asService = <T>(work: (stores: OpenStores) => Promise<T>): Promise<T> => withServiceStores(dataDir, work);

const seal = async () => new MasterSeal(await ensureMasterKey(join(dataDir, 'keys', 'master.key')));
const tombstones = async () => keyTombstones(tombstoneKeyOf(await seal()));

const requests = async ({ storage }: OpenStores) =>
  (await storage.database('gateway')).collection<{ _id: string }>('requests');

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cli-restore-'));
  scratch = mkdtempSync(join(tmpdir(), 'cli-scratch-'));
  await ensureMasterKey(join(dataDir, 'keys', 'master.key'));
  await asService(async ({ events }) => {
    await events.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    await events.publisher.publish(
      TOPICS.requestEvents.name,
      [event(1, { type: 'RequestReceived', request: admission }), event(2, { type: 'RequestCancelled' })].map((one) =>
        requestEvents.encode(one),
      ),
    );
  });
});
afterEach(() => {
  for (const folder of [dataDir, scratch]) rmSync(folder, { recursive: true });
});

it('says beside a running service what is not as the log has it, and leaves neither a change nor its scratch folder', async () => {
  await asService(async (stores) => {
    const { code, out } = await say(`projections verify --service gateway --scratch ${scratch}`);
    expect({ code, out }).toEqual({
      code: 1,
      out: [
        'gateway: 1 documents, 1 missing',
        `  missing: ${requestKey(WS, srid)}`,
        'gateway-callbacks: 0 documents, all as in the event log',
      ],
    });
    expect(await (await requests(stores)).countDocuments({})).toBe(0);
  });
  expect(readdirSync(scratch)).toEqual([]);
});

it('changes nothing while a service runs', async () => {
  await asService(async (stores) => {
    for (const line of ['projections rebuild', 'restore'])
      expect(await say(line)).toMatchObject({
        code: 1,
        err: [expect.stringContaining('is held by another running service')],
      });
    expect(await (await requests(stores)).countDocuments({})).toBe(0);
  });
});

it('writes what is missing, for machines as well, and then finds all as the log has it', async () => {
  const { code, out } = await say('projections rebuild --json');
  const { projections } = JSON.parse(out.join('')) as { projections: readonly object[] };
  expect(code).toBe(0);
  expect(projections).toContainEqual(
    expect.objectContaining({
      projection: 'request',
      documents: 1,
      differing: { missing: 1, differs: 0, surplus: 0, 'beyond the log': 0, 'changed meanwhile': 0 },
    }),
  );
  expect(await asService(async (stores) => (await requests(stores)).find({}).toArray())).toMatchObject([
    { status: 'cancelled', v: 2, seq: 2 },
  ]);
  expect(await say('projections verify')).toMatchObject({ code: 0, err: [] });
});

it('restores what it is asked for, says which keys are lost, and can be repeated', async () => {
  const precluded = { _id: `${WS}:1`, ws: WS, mpid: '1', kid: 'never stored', precluded: true };
  await asService(async ({ storage }) =>
    (await storage.database('ingestion')).collection<{ _id: string }>('profiles').insertOne(precluded),
  );
  const first = await say('restore --database gateway,results');
  const lost = 'gateway: 1 documents name a lost key: the copy of the keys is older, and their data cannot be opened';
  expect(first).toEqual({
    code: 1,
    err: [],
    out: [
      expect.stringMatching(/^log: its newest record is of /),
      'keys: no service has opened this database, so the master key was not checked',
      'keys: 0 destroyed again that this copy brought back',
      'gateway: gateway: 1 documents, 1 added, 0 changed',
      'gateway: gateway-callbacks: 0 documents, 0 added, 0 changed',
      lost,
      'results: results reads the event log again',
    ],
  });
  const { out } = await say('restore --json');
  const { databases } = JSON.parse(out.join('')) as {
    databases: readonly {
      database: string;
      lostKeys: number;
      projections: readonly object[];
      rewound: readonly string[];
    }[];
  };
  expect(databases.map(({ database, lostKeys, rewound }) => [database, lostKeys, rewound])).toEqual([
    ['gateway', 1, []],
    ['request', 0, ['request']],
    ['callback_dispatcher', 0, []],
    ['results', 0, ['results']],
    ['ingestion', 0, ['ingestion-data', 'ingestion-requests']],
  ]);
  expect(databases[0]?.projections[0]).toMatchObject({ documents: 1, differing: { missing: 0, differs: 0 } });
});

it('brings back every attestation that a copy of the gateway lacks, and touches no leaf', async () => {
  const envelope = JSON.stringify({ payload: 'x'.repeat(200) });
  const digest = createHash('sha256').update(envelope).digest('base64url');
  const said = {
    ...({ ws: WS, kind: 'attestation', of: [srid, 1], digest, at: AT } as const),
    attestation: { srid, statement: 1, envelope },
  };
  const leaf = evidenceLeaf(said, leafKeyOf(await seal()));
  const forged = evidenceLeaf({ ...said, of: ['other', 1] }, createSecretKey(randomBytes(32)));
  await asService(async ({ storage, events }) => {
    await events.publisher.publish(TOPICS.evidenceLeaves.name, [forged, leaf]);
    // The copy has read the attestations before this one was made, and the leaves after it.
    await (await storage.database('gateway')).collection('leaves').insertOne({ index: 0, offset: '0' });
  });
  await say('restore --database gateway');
  await asService(async ({ storage }) => {
    const gateway = await storage.database('gateway');
    expect(await gateway.collection('attestations').find({}).toArray()).toMatchObject([
      { _id: requestKey(WS, srid), envelope, digest },
    ]);
    expect(await gateway.collection('leaves').countDocuments({})).toBe(1);
  });
});

describe('a copy that holds what was destroyed since', () => {
  const kid = randomUUID();
  const collections = async ({ storage }: OpenStores) =>
    [
      (await storage.database('keys')).collection<{ _id: string }>('dataKeys'),
      (await storage.database('ingestion')).collection<{ _id: string }>('profiles'),
    ] as const;
  const bringBack = () =>
    asService(async (stores) => {
      const [dataKeys, profiles] = await collections(stores);
      await dataKeys.insertOne({ _id: kid, ws: WS } as { _id: string });
      await profiles.insertOne({ _id: profileKey(WS, '7'), ws: WS, mpid: '7', kid } as { _id: string });
    });
  const left = () =>
    asService(async (stores) =>
      Promise.all((await collections(stores)).map((collection) => collection.countDocuments({}))),
    );
  beforeEach(() =>
    asService(async ({ events }) =>
      events.publisher.publish(TOPICS.keyTombstones.name, [
        (await tombstones()).encode({ type: 'KeyDestroyed', id: randomUUID(), ws: WS, kid, scope: 'subject', at: AT }),
      ]),
    ),
  );

  it('loses it again, for keys alone as well, and it says how many those were', async () => {
    await bringBack();
    expect(await say('restore --database keys')).toEqual({
      code: 0,
      err: [],
      out: [
        expect.stringMatching(/^log: its newest record is of /),
        'keys: no service has opened this database, so the master key was not checked',
        'keys: 1 destroyed again that this copy brought back',
      ],
    });
    expect(await left()).toEqual([0, 1]);
    const { out } = await say('restore --database keys --json');
    expect(JSON.parse(out.join(''))).toMatchObject({ keys: { destroyedAgain: 0 }, databases: [] });
  });

  it('keeps what only a forged tombstone names, says that it was skipped, and does not end well', async () => {
    const [forged, theirs] = [randomUUID(), createSecretKey(randomBytes(32))];
    await asService(async (stores) => {
      await stores.events.publisher.publish(TOPICS.keyTombstones.name, [
        keyTombstones(theirs).encode({
          ...({ type: 'KeyDestroyed', id: randomUUID(), ws: WS, kid: forged, scope: 'subject', at: AT } as const),
        }),
      ]);
      const [dataKeys] = await collections(stores);
      await dataKeys.insertOne({ _id: forged, ws: WS } as { _id: string });
    });
    const { code, out } = await say('restore --database keys');
    expect([code, ...out.slice(2)]).toEqual([
      1,
      'keys: 0 destroyed again that this copy brought back',
      expect.stringMatching(/^keys: 1 records among the tombstones skipped: .* who may write dsr.key-tombstones.v1$/),
    ]);
    expect(await left()).toEqual([1, 0]);
  });

  it('loses it also where its positions are of a later moment', async () => {
    await say('restore --database ingestion');
    await bringBack();
    expect(await left()).toEqual([1, 1]);
    const { out } = await say('restore --database ingestion');
    expect(out).toContain('keys: 1 destroyed again that this copy brought back');
    expect(await left()).toEqual([0, 0]);
  });
});

it('says when the newest record of an embedded log was written: what a lost disk had after it is gone', async () => {
  const publishedAt = async (at: string) => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(at));
    await asService(async ({ events }) =>
      events.publisher.publish(TOPICS.keyTombstones.name, [
        (await tombstones()).encode({
          type: 'KeyDestroyed',
          id: randomUUID(),
          ws: WS,
          kid: randomUUID(),
          scope: 'request',
          at,
        }),
      ]),
    );
    clock.mockRestore();
  };
  const copy = `${dataDir}-copy`;
  const [copied, lost] = ['2100-01-01T10:00:00.000Z', '2100-01-01T11:00:00.000Z'];
  const newest = async () => JSON.parse((await say('restore --database keys --json')).out.join('')) as object;
  await publishedAt(copied);
  cpSync(dataDir, copy, { recursive: true });
  await publishedAt(lost);
  expect(await newest()).toMatchObject({ log: { newestRecordAt: lost } });
  rmSync(dataDir, { recursive: true });
  renameSync(copy, dataDir);
  expect(await newest()).toMatchObject({ log: { newestRecordAt: copied } });
  expect((await say('restore --database keys')).out).toContain(
    `log: its newest record is of ${copied}: if log.db is a copy, everything since is lost, ` +
      'erasures too: read docs/backup.md before the service starts',
  );
});

it('says that a copy of the keys is of a generation that is destroyed', async () => {
  const folder = join(dataDir, 'keys', 'generations');
  const masterKey = await ensureMasterKey(join(dataDir, 'keys', 'master.key'));
  await asService(async ({ storage, events }) => {
    const keys = { masterKey, generations: new GenerationFiles(folder, masterKey) };
    await openVault(await storage.database('keys'), keys, () => 0, events.publisher);
  });
  const { code, out } = await say('restore --database keys');
  expect([code, out.filter((line) => line.startsWith('keys'))]).toEqual([
    0,
    ['keys: 0 destroyed again that this copy brought back'],
  ]);
  rmSync(folder, { recursive: true });
  expect(await say('restore --database keys')).toMatchObject({
    code: 1,
    out: expect.arrayContaining([
      expect.stringContaining('wrapped by generation 2, whose secret is not in its place'),
    ]) as unknown,
  });
});

it.each(['restore', 'projections verify', 'projections rebuild'])(
  'takes no other master key than that of the keys, for no tombstone would count by it: dsr %s',
  async (line) => {
    const file = join(dataDir, 'keys', 'master.key');
    const masterKey = await ensureMasterKey(file);
    await asService(async ({ storage, events }) => {
      await openVault(await storage.database('keys'), { masterKey }, () => 0, events.publisher);
    });
    writeFileSync(file, randomBytes(32).toString('base64'));
    expect(await say(line)).toMatchObject({ code: 1, err: [expect.stringContaining('are wrapped by master key')] });
  },
);

it.each(['restore', 'projections verify', 'projections rebuild'])(
  'asks for the master key of real servers by its file, and takes none from this folder: dsr %s',
  async (line) => {
    const env = { DATA_DIR: dataDir, KAFKA_BROKERS: '127.0.0.1:1', MONGODB_URI: 'mongodb://127.0.0.1:1' };
    expect(await sayTo(line, { commands: [projectionsVerify, projectionsRebuild, restoreCommand], env })).toEqual({
      code: 1,
      out: [],
      err: ['MASTER_KEY_FILE: must be set'],
    });
  },
);
