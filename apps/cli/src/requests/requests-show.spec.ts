import { join } from 'node:path';
import { evidenceLeaves, TOPICS } from '@opendsr-service/contracts';
import { systemClock } from '@opendsr-service/service';
import { Replica } from '@opendsr-service/messaging/testing';
import { ensureMasterKey, openVault, type Vault } from '@opendsr-service/vault';
import { say as sayTo } from '../testing/say';
import { Stores } from '../testing/stores';
import { requestsShow } from './requests-show.command';

const SRID = '475974fa-6b42-4370-bb56-b5d845686bb5';
const OTHER = '475974fa-6b42-4370-bb56-b5d845686bb6';
const KEY = `acme:${SRID}`;
const SHOW = `requests show --workspace acme --id ${SRID}`;
const GROUP = 'bob@example.net';
const LONG = `${'a'.repeat(600)}@example.com`;
const GROUP_INDEX = 'keyed-hash-of-the-group';
const at = new Date('2026-11-21T09:00:00Z');
const now = () => systemClock.now().getTime();

let stores: Stores;
let vault: Vault;
let kid: string;
const say = (line: string) => stores.say([requestsShow], line);
const put = async (database: string, collection: string, document: object) =>
  (await stores.database(database)).collection(collection).insertOne(document);

beforeAll(async () => {
  stores = await Stores.open();
  await stores.applyTopics();
  const masterKey = await ensureMasterKey(join(stores.dataDir, 'keys', 'master.key'));
  ({ vault } = await openVault(await stores.database('keys'), { masterKey }, now, {
    available: true,
    publish: () => Promise.resolve(),
  }));
  const key = await vault.newKey('acme', 'request');
  kid = key.kid;
  const seal = (field: string, text: string) => key.seal({ ws: 'acme', subject: SRID, field }, text);
  const url = seal('callback:hash1', 'https://hooks.example.org/secret-path');
  const sealed = {
    identities: seal(
      'identities',
      JSON.stringify(['ann@example.com', LONG].map((value) => ({ type: 'email', value }))),
    ),
    group: seal('group', GROUP),
    callbacks: [{ destination: 'hash1', url, host: 'h' }],
  };
  const one = { _id: KEY, ws: 'acme', srid: SRID };
  await put('gateway', 'requests', {
    ...one,
    status: 'in_progress',
    type: 'erasure',
    regulation: 'gdpr',
    apiVersion: '2.0',
    groupId: GROUP_INDEX,
    slot: 0,
    kid,
    sealed,
    seq: 2,
    v: 2,
    receivedAt: at,
    expectedAt: at,
    startedAt: at,
    openDestinations: ['hash1'],
    outbox: [{ seq: 2, id: 'i', type: 'StartRequest', at: at.toISOString(), data: { sealed } }],
  });
  await put('gateway', 'requests', { _id: `acme:${OTHER}`, ws: 'acme', srid: OTHER, groupId: GROUP_INDEX, slot: 1 });
  await put('request', 'aggregates', {
    ...one,
    status: 'in_progress',
    v: 2,
    commandSeq: 2,
    participants: ['ingestion', 'crm'],
    reported: { crm: 'failed' },
    reportedAt: {},
    messages: { crm: 'ann@example.com' },
    outbox: [],
  });
  await put('callback_dispatcher', 'destinations', {
    ...one,
    _id: `${KEY}|hash1`,
    destination: 'hash1',
    v: 2,
    url,
    pending: [{ v: 2, status: 'in_progress', at: at.toISOString() }],
    tries: 3,
    dueAt: at,
  });
  await put('results', 'erasures', { ...one, erased: ['x', 'y'], passes: 1, tries: 0 });
  await put('ingestion', 'erasures', { ...one, kid, identities: sealed.identities, passes: 0, tries: 5, dueAt: at });
  const replica = new Replica({
    connection: await stores.database('results'),
    group: 'results',
    now,
    answer: () => Promise.resolve({ park: 'version-gap' }),
  });
  await replica.consume({
    topic: 'dsr.request-events.v1',
    partition: 0,
    offset: '7',
    key: KEY,
    value: Buffer.from('{}'),
    headers: {},
    timestampMs: 0,
  });
});
afterAll(() => stores.close());

it('shows what every store knows of a request, and nobody’s name and no address', async () => {
  const { code, out, err } = await say(SHOW);
  expect([code, err]).toEqual([0, []]);
  for (const line of [
    'key  alive',
    'gateway.status  in_progress',
    'gateway.times.startedAt  2026-11-21T09:00:00.000Z',
    'gateway.outbox[0].type  StartRequest',
    'request.participants[0].status  awaited',
    'request.participants[1].status  failed',
    'callback-dispatcher.destinations[0].destination  hash1',
    'callback-dispatcher.destinations[0].tries  3',
    'results.erasure.profiles  2',
    'ingestion.erasure.tries  5',
    'parked[0].reason  version-gap',
    'gateway.group.requests  2',
  ])
    expect(out).toContain(line);
  expect(out.join('\n')).not.toMatch(/ann|bob|hooks|secret-path/);
  expect((await say(`${SHOW} --json`)).out.join('\n')).not.toMatch(/ann|bob|hooks|secret-path|sealed/);
  expect(await stores.audit()).toEqual([]);
});

it('shows identities, the name of its group and hosts only to somebody who is noted before, and never a whole address', async () => {
  expect(await say(`${SHOW} --identities`)).toMatchObject({ code: 2, out: [] });
  const { code, out } = await say(`${SHOW} --identities --by ops --json`);
  expect([code, JSON.parse(out[0] ?? '')]).toEqual([
    0,
    expect.objectContaining({
      about: {
        group: GROUP,
        identities: ['ann@example.com', LONG].map((value) => ({ type: 'email', value })),
        hosts: ['hooks.example.org'],
      },
    }),
  ]);
  expect(out.join('\n')).not.toContain('secret-path');
  expect(await stores.audit()).toEqual([
    { ws: 'acme', srid: SRID, action: 'identities-shown', by: 'ops', at: expect.any(Date) as Date },
  ]);
  const codec = evidenceLeaves(vault.leafKey);
  const leaves = (await stores.records(TOPICS.evidenceLeaves.name)).map((one) => codec.decode(one));
  const { auditedOf } = await import('@opendsr-service/gateway/operation');
  const reveals: { digest: string }[] = [];
  for await (const reveal of auditedOf(await stores.database('gateway'))) reveals.push(reveal);
  expect(leaves).toMatchObject([{ ws: 'acme', kind: 'identity-reveal', digest: reveals[0]?.digest }]);
});

it('shows no identity by another master key, and notes nothing: no service would take the leaf', async () => {
  const env = { DATA_DIR: stores.dataDir, MASTER_KEY_FILE: join(stores.dataDir, 'other.key') };
  await ensureMasterKey(env.MASTER_KEY_FILE);
  const held = async () => [await stores.audit(), await stores.records(TOPICS.evidenceLeaves.name)];
  const before = await held();
  expect(await sayTo(`${SHOW} --identities --by ops`, { commands: [requestsShow], env })).toMatchObject({
    ...{ code: 1, out: [], err: [expect.stringContaining('are wrapped by master key')] },
  });
  expect(await held()).toEqual(before);
});

it('shows a long identity to its end', async () => {
  const { out } = await say(`${SHOW} --identities --by ops`);
  expect(out).toContain(`about.identities[1].value  ${LONG}`);
});

it.each([
  ['an erasure', 'ingestion', 'erasures', { passes: 0, tries: 0, reported: true }],
  ['an access', 'results', 'archives', { state: 'forgotten', tries: 0 }],
] as const)(
  'says of %s that nothing matched, or how many profiles did, also when it is over',
  async (_, database, collection, rest) => {
    for (const [place, matched] of [0, 2].entries()) {
      const srid = `${SRID.slice(0, -2)}${collection.slice(0, 1)}${place}`;
      await put(database, collection, { _id: `acme:${srid}`, ws: 'acme', srid, ...rest, matched });
      const { out } = await say(SHOW.replace(SRID, srid));
      expect(out).toContain(`matched  ${matched}`);
      expect(out.filter((line) => line.startsWith('hint  nothing matched'))).toHaveLength(matched === 0 ? 1 : 0);
    }
  },
);

it('shows an erasure that results has finished', async () => {
  const srid = `${SRID.slice(0, -2)}ff`;
  const finished = { _id: `acme:${srid}`, ws: 'acme', srid, passes: 1, tries: 0, profiles: 2 };
  await put('results', 'erasures', finished);
  const { code, out } = await say(SHOW.replace(SRID, srid));
  expect([code, out]).toEqual([0, expect.arrayContaining(['results.erasure.profiles  2'])]);
});

it('says that a key is lost which is neither there nor destroyed', async () => {
  await vault.destroy('acme', kid, 'request');
  expect((await say(SHOW)).out).toContain('key  lost: it does not exist and was not destroyed');
});

it('says when the key is destroyed, and of whom nothing is known', async () => {
  await (
    await stores.database('gateway')
  )
    .collection<{ _id: string }>('requests')
    .updateOne({ _id: KEY, ws: 'acme' }, { $set: { keyGoneAt: at } });
  expect((await say(SHOW)).out).toContain('key  destroyed');
  expect((await say(`${SHOW} --identities --by ops`)).out.at(-1)).toBe('about  unreadable: the key no longer exists');
  expect((await say(`${SHOW} --identities --by ops`)).out.join('\n')).not.toContain(GROUP);
  expect(await say(SHOW.replace('acme', 'other'))).toEqual({
    code: 1,
    out: [],
    err: [`the stores hold nothing about request ${SRID} in other`],
  });
});

it('asks for the master key of real servers by its file, and looks for none here', async () => {
  const env = { DATA_DIR: stores.dataDir, KAFKA_BROKERS: '127.0.0.1:1', MONGODB_URI: 'mongodb://127.0.0.1:1' };
  expect(await sayTo(`${SHOW} --identities --by ops`, { commands: [requestsShow], env })).toEqual({
    code: 1,
    out: [],
    err: ['MASTER_KEY_FILE: must be set'],
  });
});

it('shows all parked records of a request, however many', async () => {
  const parked = (await stores.database('results')).collection<{ _id: string }>('parked');
  const one = await parked.findOne({ key: KEY });
  const srid = `${SRID.slice(0, -2)}ee`;
  const key = `acme:${srid}`;
  await parked.insertMany(Array.from({ length: 201 }, (_, n) => ({ ...one, _id: `results|other|0|${n}`, key })));
  const { out } = await say(`${SHOW.replace(SRID, srid)} --json`);
  expect((JSON.parse(out[0] ?? '') as { parked: unknown[] }).parked).toHaveLength(201);
});
