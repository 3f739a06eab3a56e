import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog, ParkedStore } from '@opendsr-service/messaging';
import { openStorage, type Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import document from '../openapi/operator.json';
import { MOST_OF_PARTICIPANTS } from './history/request-history';
import { MOST_READ } from './requests/read-page';
import { OperatorWorld } from './testing/operator-world';

/** In two workspaces by turns, each an hour older than the one before it but one. */
const REQUESTS = 4_000;
const OTHERS = 600;
const PAGE = 20;
const HOUR_MS = 3_600_000;
const DATABASES = ['gateway', 'workspaces-of-service', 'workspaces', 'keys-of-service', 'keys'];
const SRID = '00000000-0000-4000-8000-000000000007';

/** What MongoDB noted of one command. */
interface Profiled {
  readonly ns: string;
  readonly op: string;
  readonly planSummary?: string;
  readonly hasSortStage?: boolean;
  readonly docsExamined?: number;
  readonly keysExamined?: number;
  readonly nreturned?: number;
  readonly command: Readonly<Record<string, unknown>>;
}

/** Every call that lists, counts or searches, by the name of its operation: plain, and with filters together. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  listOperatorRequests: [
    ...['', '?order=due&workspace=acme', '?order=ended', '?order=ended&workspace=acme'],
    ...['?status=cancelled&workspace=acme', '?callbacks=failing&workspace=acme', '?due_within=7d&overdue=false'],
    ...['?status=completed&older_than=30d', '?order=due&type=erasure'],
  ].map((query) => `/requests${query}`),
  countOperatorRequests: ['/request-counts'],
  readOverview: ['/overview'],
  readOperatorRequest: [`/requests/acme/${SRID}`],
  listOperatorCallbacks: [`/requests/acme/${SRID}/callbacks`],
  listOperatorEvents: [`/requests/acme/${SRID}/events`],
  listOperatorLogEntries: [`/requests/acme/${SRID}/log-entries`],
  listOperatorRecords: [`/requests/acme/${SRID}/records`],
  listOperatorAudit: ['/audit'],
  listParked: ['/parked'],
  listReveals: ['/reveals'],
  listWorkspaces: ['/workspaces'],
  readWorkspace: ['/workspaces/acme'],
  listApiKeys: ['/workspaces/acme/api-keys'],
  listParticipantsOfWorkspace: ['/workspaces/acme/participants'],
  listParticipants: ['/participants'],
  readTransparency: ['/transparency'],
};
/** What each parameter of the document is tried with, alone where it may be. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ workspace: 'acme', id: SRID, controller: '1402', group: 'family&workspace=acme' },
  ...{ status: 'pending', type: 'erasure', regulation: 'ccpa', legal_state: 'at_risk', callbacks: 'failing' },
  ...{ received_from: '2026-11-01T00:00:00Z', received_to: '2026-11-01T00:00:00Z', received_within: '30d' },
  ...{ older_than: '30d', overdue: 'true', due_within: '7d', ended_within: '7d', order: 'due' },
  ...{ by: 'ann', action: 'parked-drop-asked', from: '2026-11-01T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  ...{ service: 'gateway', parked_reason: 'odd', kind: 'aside', key: `acme:${SRID}`, state: 'open' },
};
/** How many and from where on, of every list: each call is tried with its next page. */
const OF_PAGES = ['limit', 'cursor'];
/** What reads nothing of this kind, or belongs to another database: host-answers.int.spec.ts. */
const NOT_HERE = [
  ...['signIn', 'finishSignIn', 'readSession', 'watchOperatorChanges', 'readSystem'],
  ...['listDestinations', 'readDestination', 'readParked', 'readOperatorAttestation', 'readOperatorServices'],
];
/** Filters that no index holds: a page may read this many documents more than it returns. */
const UNINDEXED = /[?&](type|regulation|legal_state|by|action|parked_reason)=/;

let storage: Storage;
let world: OperatorWorld;
let gateway: Connection;
/** What is undone in the end, the last first: a set-up that fails leaves nothing open, which would keep the run from its end. */
const undone: (() => unknown)[] = [];
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plans-'));
  undone.push(() => rmSync(folder, { recursive: true }));
  storage = await openStorage({
    mongodbUri: process.env.DSR_TEST_MONGODB_URI,
    databasePrefix: `plans_${randomUUID().slice(0, 8)}_`,
  });
  undone.push(() => storage.close());
  const log = await openLog({ embedded: { file: join(folder, 'log.db') } });
  undone.push(() => log.close(), dropDatabases);
  world = await OperatorWorld.open({ RATE_LIMIT_OPERATOR_CALLS_PER_MINUTE: '0' }, [], { storage, log });
  undone.push(
    () => world.provider.stop(),
    () => world.service.stop(),
  );
  gateway = await storage.database('gateway');
  await fill();
  for (const name of DATABASES) await profile(await storage.database(name));
});
afterAll(async () => {
  for (const undo of undone.reverse()) await undo();
});

async function dropDatabases(): Promise<void> {
  for (const name of DATABASES) {
    const database = await storage.database(name);
    await database.db?.command({ profile: 0 });
    await database.dropDatabase();
  }
}

async function fill(): Promise<void> {
  const now = world.world.clock.now().getTime();
  const wsOf = (n: number) => (n % 2 === 0 ? 'acme' : 'sandbox');
  const sridOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
  const add = (collection: string, documents: object[]) =>
    gateway.collection<{ _id: string }>(collection).insertMany(documents as { _id: string }[], { ordered: false });
  const requests = Array.from({ length: REQUESTS }, (_, n) => {
    // The id that is read is one of both workspaces.
    const [ws, srid] = [wsOf(n), sridOf(Math.floor(n / 2))];
    const receivedAt = new Date(now - Math.floor(n / 2) * HOUR_MS);
    const after = (hours: number) => new Date(receivedAt.getTime() + hours * HOUR_MS);
    const status = n % 10 === 0 ? 'pending' : n % 10 === 1 ? 'in_progress' : n % 10 < 4 ? 'cancelled' : 'completed';
    return {
      ...{ _id: `${ws}:${srid}`, ws, srid, kid: 'k', groupId: `g${n % 50}`, slot: n, seq: 1, v: 1, apiVersion: '2.0' },
      ...{ status, type: n % 3 === 0 ? 'erasure' : 'access', countedBy: 'gdpr', controllerId: '1402' },
      ...{ receivedAt, submittedTime: receivedAt, expectedAt: after(24), dueBy: after(720), atRiskAt: after(540) },
      ...{ openDestinations: [], outbox: [], workspaceClass: 'default' },
      ...(status === 'completed' && { completedAt: after(30) }),
      ...(status === 'cancelled' && { cancelledAt: after(1) }),
      ...(n % 40 === 0 && { callbacksFailing: true }),
    };
  });
  await add('requests', requests);
  const others = Array.from({ length: OTHERS }, (_, n) => ({ ws: wsOf(n), srid: sridOf(n), at: new Date(now - n) }));
  await add(
    'audit',
    others.map((of, n) => ({ _id: `a${n}`, ...of, action: n === 5 ? 'parked-drop-asked' : 'x', by: `p${n}` })),
  );
  // A participant asks for the identities of the request that is read again and again, an operator did once.
  const asked = Array.from({ length: OTHERS }, (_, n) => ({ _id: `b${n}`, at: new Date(now - HOUR_MS - n) }));
  await add(
    'audit',
    asked.map((entry, n) => ({
      ...{ ...entry, ws: 'acme', srid: SRID },
      ...(n === 0
        ? { action: 'identities-revealed', by: 'ann' }
        : { action: 'identities-refused', participant: 'crm' }),
    })),
  );
  await add(
    'callbacks',
    others.map((of) => ({
      ...{
        _id: `${of.ws}:${of.srid}|d|0000000001`,
        ...of,
        destination: 'd',
        version: 1,
        delivery: of.srid,
        attempts: [],
      },
      ...{ status: 'pending', standing: { state: 'waiting' }, attemptCount: 0, rev: 1 },
    })),
  );
  const parked = new ParkedStore(gateway);
  for (let n = 0; n < 3 * PAGE; n += 1) {
    const record = { topic: 'dsr.request-events.v1', partition: 1, offset: String(n), key: `${wsOf(n)}:${sridOf(n)}` };
    await parked.park('gateway', { ...record, timestampMs: 7, value: Buffer.from('{'), headers: {} }, 'not-json');
  }
}

/** From now on the server notes every command on this database. */
async function profile({ db }: Connection): Promise<void> {
  await db?.createCollection('system.profile', { capped: true, size: 16_000_000 });
  await db?.command({ profile: 2 });
}

/** What a database has noted, without the searches for it. */
async function noted(name: string) {
  const database = await storage.database(name);
  const filter = { op: { $in: ['query', 'command'] }, ns: { $ne: `${database.name}.system.profile` } };
  return { collection: database.collection('system.profile'), filter };
}

async function countOfNoted(name: string): Promise<number> {
  const { collection, filter } = await noted(name);
  return collection.countDocuments(filter);
}

/** What a database has noted since then, in its order. */
async function notedSince(name: string, count: number): Promise<readonly Profiled[]> {
  const { collection, filter } = await noted(name);
  return (await collection.find(filter, { sort: { $natural: 1 }, skip: count }).toArray()) as unknown as Profiled[];
}

const withMore = (path: string, more: string): string => `${path}${path.includes('?') ? '&' : '?'}${more}`;

async function answerOf(path: string): Promise<{ readonly next_cursor?: string | null }> {
  const answer = await world.call('GET', path, { groups: ['admin'] });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as { next_cursor?: string };
}

/** The queries of one call, of that for its next page, and of whatever else the service did meanwhile. */
async function queriesOf(path: string): Promise<readonly Profiled[]> {
  const counts = new Map<string, number>();
  for (const name of DATABASES) counts.set(name, await countOfNoted(name));
  const { next_cursor: cursor } = await answerOf(path);
  if (cursor) await answerOf(withMore(path, `cursor=${encodeURIComponent(cursor)}`));
  const queries: Profiled[] = [];
  for (const [name, count] of counts) queries.push(...(await notedSince(name, count)));
  return queries.filter(({ command }) => ['find', 'aggregate', 'count'].some((name) => name in command));
}

interface Read {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}
const reads = Object.values(document.paths).flatMap((methods) => ('get' in methods ? [methods.get as Read] : []));
const filters = reads.flatMap(({ operationId, parameters = [] }) =>
  parameters
    .filter((one) => one.in === 'query' && !OF_PAGES.includes(one.name))
    .map(({ name }) => ({ name, path: CALLS[operationId]?.[0] })),
);
const filtered = filters.flatMap(({ name, path }) => (path ? [`${path}?${name}=${VALUES[name] ?? ''}`] : []));

it('is about every list, count and search of the API', () => {
  const named = reads.map(({ operationId }) => operationId);
  expect([...Object.keys(CALLS), ...NOT_HERE].toSorted()).toEqual(named.toSorted());
  expect(filters.filter(({ name, path }) => path && !VALUES[name])).toEqual([]);
});

it.each([...Object.values(CALLS).flat(), ...filtered])(
  '%s reads no collection through, and no more documents than it is about',
  async (path) => {
    const limited = /^\/(requests|audit|parked)(\?|$)/.test(path);
    const queries = await queriesOf(limited ? withMore(path, `limit=${PAGE}`) : path);
    // Each is asked for once, so that no answer is a remembered one.
    expect(queries.length).toBeGreaterThan(0);
    const described = (one: Profiled) => `${one.ns} ${JSON.stringify(one.command)} ${one.planSummary ?? ''}`;
    expect(queries.filter(({ planSummary = '' }) => planSummary.includes('COLLSCAN')).map(described)).toEqual([]);
    expect(queries.filter(({ hasSortStage }) => hasSortStage === true).map(described)).toEqual([]);
    const most = UNINDEXED.test(path) ? MOST_READ : 2 * PAGE;
    const greedy = queries.filter(({ docsExamined = 0, nreturned = 0 }) => docsExamined > Math.max(nreturned, most));
    expect(greedy.map((one) => `${one.docsExamined} for ${one.nreturned}: ${described(one)}`)).toEqual([]);
  },
);

it.each([
  ['events', [1, MOST_OF_PARTICIPANTS]],
  ['log-entries', [1]],
])('%s of a request read the audit trail within bounds, whatever a participant adds', async (what, read) => {
  const queries = (await queriesOf(`/requests/acme/${SRID}/${what}?limit=200`)).filter(({ ns }) =>
    ns.endsWith('.audit'),
  );
  // Of one page: there may be a next one.
  const examined = queries.slice(0, read.length).map(({ docsExamined = 0 }) => docsExamined);
  expect(examined.toSorted((a, b) => a - b)).toEqual(read);
});
