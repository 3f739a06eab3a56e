import { createSecretKey, randomUUID } from 'node:crypto';
import { eventDigest, messageId, type RequestEvent } from '@opendsr-service/contracts';
import { rebuildProjection, verifyProjection } from '@opendsr-service/replay';
import type { Connection } from 'mongoose';
import type { AggregateDocument } from '../aggregates/aggregate.document';
import type { RequestInput } from '../domain/decide';
import { World } from '../testing/world';
import { aggregatesProjection } from './aggregates.projection';

const WS = 'acme';
const AT = '2026-11-21T09:00:00.000Z';
const NONE = { missing: 0, differs: 0, surplus: 0, 'beyond the log': 0 };

let world: World;
const copies: AggregateDocument[][] = [];
let made = 0;

const aggregates = (connection: Connection) => connection.collection<AggregateDocument>('aggregates');
const all = (connection: Connection): Promise<AggregateDocument[]> =>
  aggregates(connection)
    .find({}, { sort: { _id: 1 } })
    .toArray();

async function copyOf(documents: readonly AggregateDocument[]): Promise<Connection> {
  const connection = await world.parts.storage.database(`copy${++made}`);
  if (documents.length > 0) await aggregates(connection).insertMany([...documents]);
  return connection;
}

const folding = (connection: Connection) => ({
  connection,
  log: world.parts.log,
  tools: { now: world.clock.now(), keyKeepMs: 0, tombstoneKey: createSecretKey(Buffer.alloc(32)) },
  pausesMs: [1],
});

/** Lets inputs happen to one request, and keeps a copy after each. */
async function live(...inputs: readonly object[]): Promise<string> {
  const srid = randomUUID();
  for (const [n, input] of inputs.entries()) {
    await world.replica().handle({
      id: messageId(srid, n),
      ws: WS,
      srid,
      at: new Date(Date.parse(AT) + n * 1_000).toISOString(),
      ...input,
    } as unknown as RequestInput);
    await world.store.emptyPublished();
    copies.push(await all(world.parts.connection));
  }
  return `${WS}:${srid}`;
}

const sealed = 'x'.repeat(40);
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
  ...{ fingerprint: 'f', kid: 'k', identities: sealed, callbacks: [] },
};
const submit = { type: 'SubmitRequest', seq: 1, request: admission };
const cancel = { type: 'CancelRequest', seq: 2 };
const start = {
  type: 'StartRequest',
  seq: 2,
  work: { type: 'access', kid: 'k', identities: sealed },
  participants: [{ name: 'results' }, { name: 'crm', domain: 'crm.example' }],
};
const report = (participant: string, status: string, statusMessage?: string) => ({
  type: 'ParticipantReport',
  participant,
  status,
  ...(statusMessage !== undefined && { statusMessage }),
});
const complete = { type: 'CompleteRequest', seq: 3 };

beforeEach(async () => {
  world = await World.open();
  copies.length = 0;
});
afterEach(() => world.close());

const lives = async () => ({
  pending: await live(submit),
  cancelled: await live(submit, cancel),
  failed: await live(submit, start, report('crm', 'failed', 'no such thing')),
  completed: await live(submit, start, report('results', 'completed'), report('crm', 'completed'), complete),
});

it('brings every earlier copy of the aggregates up to date, also an empty one', async () => {
  await lives();
  const truth = await all(world.parts.connection);
  for (const copy of [[], ...copies]) {
    const connection = await copyOf(copy);
    await rebuildProjection(aggregatesProjection, folding(connection));
    expect(await all(connection)).toEqual(truth);
  }
});

it('removes from an outbox the events that the event log has, and keeps the others', async () => {
  const _id = await live(submit, start);
  const [document] = await all(world.parts.connection);
  const [heard] = await world.events(1);
  const ahead: RequestEvent = {
    type: 'RequestFulfilled',
    id: messageId(_id, 3),
    ws: WS,
    srid: _id.split(':')[1] as string,
    version: 3,
    commandSeq: 2,
    at: AT,
  };
  const connection = await copyOf([
    {
      ...(document as AggregateDocument),
      v: 3,
      status: 'fulfilled',
      history: eventDigest(ahead),
      outbox: [heard as RequestEvent, ahead],
      outboxAt: new Date(AT),
    },
  ]);
  expect((await verifyProjection(aggregatesProjection, folding(connection))).differences).toEqual([
    { id: _id, kind: 'differs', what: ['outbox'] },
  ]);
  await rebuildProjection(aggregatesProjection, folding(connection));
  expect(await all(connection)).toMatchObject([
    { v: 3, status: 'fulfilled', outbox: [{ version: 3 }], outboxAt: new Date(AT), outboxSince: new Date(AT) },
  ]);
});

it('clears the due time of an outbox whose events are all in the event log, and keeps fields of a later release', async () => {
  await live(submit, start);
  const [document] = await all(world.parts.connection);
  const kept = { later: 1 };
  const connection = await copyOf([
    {
      ...(document as AggregateDocument),
      ...kept,
      outbox: await world.events(2),
      outboxAt: new Date(AT),
      outboxSince: new Date(AT),
    },
  ]);
  await rebuildProjection(aggregatesProjection, folding(connection));
  expect(await all(connection)).toEqual([{ ...document, ...kept }]);
});

it('finds an altered field, a removed aggregate, an added one, and one beyond the event log', async () => {
  const { pending, cancelled, failed, completed } = await lives();
  const connection = await copyOf(await all(world.parts.connection));
  expect(await verifyProjection(aggregatesProjection, folding(connection))).toMatchObject({
    documents: 4,
    differing: NONE,
  });
  await aggregates(connection).updateOne({ _id: failed }, { $set: { 'reported.crm': 'completed' } });
  await aggregates(connection).deleteOne({ _id: cancelled });
  await aggregates(connection).updateOne({ _id: pending }, { $set: { v: 7 } });
  await aggregates(connection).insertOne({
    ...((await aggregates(connection).findOne({ _id: completed })) as AggregateDocument),
    _id: 'acme:planted',
  });
  const { differences } = await verifyProjection(aggregatesProjection, folding(connection));
  expect(new Map(differences.map(({ id, kind, what }) => [id, [kind, what]]))).toEqual(
    new Map([
      [failed, ['differs', ['reported']]],
      [cancelled, ['missing', []]],
      [pending, ['beyond the log', ['version']]],
      ['acme:planted', ['surplus', []]],
    ]),
  );
});
