import { rebuildProjection, verifyProjection, type Comparison } from '@opendsr-service/replay';
import { ensureIndexes } from '@opendsr-service/storage';
import { FULL, itInFull } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { requestsCollection } from '../admission/requests-collection.store';
import type { RequestDocument } from '../admission/request.document';
import { admissionsProjection } from './admissions.config';
import { History } from './testing/history';

const NONE = { missing: 0, differs: 0, surplus: 0, 'beyond the log': 0 };

let history: History;
let made = 0;

beforeEach(async () => {
  history = await History.open();
});
afterEach(() => history.world.close());

const tools = () => ({
  now: history.world.clock.now(),
  keyKeepMs: history.world.keepMs,
  tombstoneKey: history.world.vault.tombstoneKey,
});
const requests = (connection: Connection) => connection.collection<RequestDocument>('requests');

/** Another database with these admissions in it, and the indexes that a gateway makes. */
async function copyOf(documents: readonly RequestDocument[]): Promise<Connection> {
  const connection = await history.world.parts.storage.database(`copy${++made}`);
  requestsCollection(connection);
  await ensureIndexes(connection);
  if (documents.length > 0) await requests(connection).insertMany([...documents]);
  return connection;
}

const rebuild = (connection: Connection): Promise<Comparison> =>
  rebuildProjection(admissionsProjection, { connection, log: history.world.parts.log, tools: tools() });
const verify = (connection: Connection): Promise<Comparison> =>
  verifyProjection(admissionsProjection, { connection, log: history.world.parts.log, tools: tools(), pausesMs: [1] });

/**
 * What a rebuild may decide again: when something is sent again or recorded, and when a key was seen to be gone. Which of
 * several cancels was the one does not come back.
 */
const lasting = (documents: readonly RequestDocument[]) =>
  documents.map(({ outboxAt, tries, keyGoneAt, personsAt, ...document }) => ({
    ...document,
    cancelToken: undefined,
    waits: outboxAt !== undefined && tries !== undefined,
    hasPersonsToRecord: personsAt !== undefined,
    isGone: keyGoneAt !== undefined,
  }));
const stateOf = async (connection: Connection) =>
  lasting(
    await requests(connection)
      .find({}, { sort: { _id: 1 } })
      .toArray(),
  );
const one = async (connection: Connection, { _id }: RequestDocument) => requests(connection).findOne({ _id });

/** A request of each kind of life. */
async function lives() {
  const person = { fingerprint: 'one-person', url: 'https://controller.example/hook' };
  const gone = await history.admit({ url: 'https://controller.example/gone' });
  await history.start();
  await history.answer();
  await history.report(gone, 'completed');
  await history.answer();
  await history.settle(gone);
  await history.destroyKeys();

  const completed = await history.admit({ ...person, groupId: 'group' });
  const failed = await history.admit();
  const extended = await history.admit();
  await history.answer();
  await history.extend(extended);
  await history.start();
  await history.answer();
  await history.extend(failed);
  await history.answer();
  await history.report(extended, 'completed');
  await history.report(completed, 'completed');
  await history.report(failed, 'failed');
  await history.answer();
  const again = await history.admit({ ...person, groupId: 'group' });
  await history.settle(completed);
  await history.answer();
  await history.extend(again);
  await history.cancel(again);
  const andAgain = await history.admit({ ...person, groupId: 'group' });
  await history.answer();
  const started = await history.admit();
  await history.start();
  const submitted = await history.admit({ groupId: 'other' });
  await history.send();
  return { gone, completed, failed, extended, again, andAgain, started, submitted };
}

it('brings every earlier copy of the admissions up to date, also an empty one', async () => {
  await lives();
  const truth = lasting(await history.admissions());
  expect(new Set(truth.map(({ status }) => status))).toEqual(
    new Set(['pending', 'in_progress', 'completed', 'cancelled']),
  );
  // The short form tries every twelfth one, and the last.
  const between = FULL ? 1 : 12;
  const copies = [[], ...history.copies].filter((_copy, n, { length }) => n % between === 0 || n === length - 1);
  for (const copy of copies) {
    const connection = await copyOf(copy);
    await rebuild(connection);
    expect(await stateOf(connection)).toEqual(truth);
  }
  const last = await copyOf(copies.at(-1) ?? []);
  expect(await rebuild(last)).toMatchObject({ documents: truth.length, differing: NONE });
});

itInFull('notes the ends that a process of a version before attestations left unnoted', async () => {
  const { completed, again } = await lives();
  const connection = await copyOf(await history.admissions());
  const before = (await requests(connection).find({}).toArray()).filter((one) => one.history !== undefined);
  expect(before.length).toBeGreaterThan(3);
  await requests(connection).updateMany({}, { $unset: { history: 1, reports: 1, attestAt: 1 } });
  await rebuild(connection);
  for (const { _id, history: digest, reports } of before)
    expect(await requests(connection).findOne({ _id })).toMatchObject({
      ...{ history: digest, attestAt: expect.any(Date) as Date },
      ...(reports && { reports }),
    });
  expect(before.map(({ srid }) => srid)).toEqual(expect.arrayContaining([completed.srid, again.srid]));
});

it('finds exactly an altered field, a removed document and an added document', async () => {
  const { failed, started, completed } = await lives();
  const connection = await copyOf(await history.admissions());
  expect(await verify(connection)).toMatchObject({ documents: 8, older: 0, differing: NONE, differences: [] });
  await requests(connection).updateOne(
    { _id: failed._id },
    { $set: { status: 'completed', 'sealed.identities': 'x' } },
  );
  await requests(connection).deleteOne({ _id: started._id });
  const planted = {
    ...(await one(connection, completed)),
    _id: 'acme:planted',
    srid: 'planted',
    slot: 77,
  } as RequestDocument;
  await requests(connection).insertOne(planted);
  const before = await stateOf(connection);
  const { differences } = await verify(connection);
  expect([...differences].sort((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { id: failed._id, kind: 'differs', what: ['sealed', 'status'] },
    { id: started._id, kind: 'missing', what: [] },
    { id: planted._id, kind: 'surplus', what: [] },
  ]);
  expect(await stateOf(connection)).toEqual(before);
  expect(await rebuild(connection)).toMatchObject({ differing: { ...NONE, differs: 1, missing: 1, surplus: 1 } });
  expect(await verify(connection)).toMatchObject({ differing: { ...NONE, surplus: 1 } });
});

it('completes a fulfilled request that was not completed, with its command in the outbox', async () => {
  const request = await history.admit();
  await history.start();
  await history.answer();
  const before = await history.admissions();
  await history.report(request, 'completed', { unheard: true });
  for (const copy of [[], before]) {
    const connection = await copyOf(copy);
    await rebuild(connection);
    const rebuilt = await one(connection, request);
    expect(rebuilt).toMatchObject({
      status: 'completed',
      seq: 3,
      v: 4,
      completedAt: history.world.clock.now(),
      outbox: [{ seq: 3, type: 'CompleteRequest' }],
      outboxAt: history.world.clock.now(),
      outboxSince: history.world.clock.now(),
    });
    expect(rebuilt).not.toHaveProperty('fingerprint');
    history.world.clock.advance(1_000);
    expect(await rebuild(connection)).toMatchObject({ differing: NONE });
    expect(await one(connection, request)).toEqual(rebuilt);
  }
});

it('keeps an extension that no event answers, before and after a completion that the log requires', async () => {
  const request = await history.admit();
  await history.start();
  await history.answer();
  const before = await history.admissions();
  await history.extend(request);
  const extended = await history.admissions();
  await history.report(request, 'completed', { unheard: true });
  const reads = async (copy: readonly RequestDocument[]) => {
    const connection = await copyOf(copy);
    await rebuild(connection);
    expect(await rebuild(connection)).toMatchObject({ differing: NONE });
    return one(connection, request);
  };
  // Twice 45 days: the request names no regulation.
  const extendedUntil = new Date('2027-02-19T23:59:59.999Z');
  const both = [
    { seq: 3, type: 'ExtendDeadline' },
    { seq: 4, type: 'CompleteRequest' },
  ];
  expect(await reads(before)).toMatchObject({ seq: 3, outbox: [{ seq: 3, type: 'CompleteRequest' }] });
  expect(await reads(extended)).toMatchObject({ status: 'completed', seq: 4, outbox: both, extendedUntil });
  await history.send();
  const sent = await reads(before);
  expect(sent).toMatchObject({ status: 'completed', seq: 4, outbox: both, extendedUntil, expectedAt: extendedUntil });
  await history.answer({ unheard: true });
  expect(await reads([])).toMatchObject({ seq: 4, outbox: [{ seq: 4 }], v: 5, sealed: sent?.sealed });
  expect(sent?.sealed?.extensionReason).toBe(extended[0]?.sealed?.extensionReason);
});

it('keeps decisions that are not in the event log', async () => {
  const known = await history.admit();
  await history.answer();
  const unknown = await history.admit();
  await history.cancel(known);
  const connection = await copyOf(await history.admissions());
  const before = await stateOf(connection);
  expect(await verify(connection)).toMatchObject({ documents: 2, differing: NONE });
  await rebuild(connection);
  expect(await stateOf(connection)).toEqual(before);
  expect(await one(connection, known)).toMatchObject({ status: 'cancelled', outbox: [{ type: 'CancelRequest' }] });
  expect(await one(connection, unknown)).toMatchObject({ status: 'pending', outbox: [{ type: 'SubmitRequest' }] });
});

it('never restores fields that a destroyed key had sealed', async () => {
  const { gone } = await lives();
  const connection = await copyOf([]);
  await rebuild(connection);
  const rebuilt = await one(connection, gone);
  expect(rebuilt).toMatchObject({ status: 'completed', kid: gone.kid });
  for (const field of ['sealed', 'fingerprint', 'keyDueAt', 'keyDueSince', 'outboxAt', 'outboxSince'])
    expect(rebuilt).not.toHaveProperty(field);
});

it('keeps the claim of a key destruction, and the time since which it is due', async () => {
  const request = await history.admit();
  await history.cancel(request);
  await history.answer();
  history.world.clock.advance(history.world.keepMs);
  await history.world.keys.claimDue(history.world.clock.now());
  const [claimed] = (await history.admissions()) as [RequestDocument];
  expect(claimed.keyDueSince?.getTime()).toBeLessThan(Number(claimed.keyDueAt));
  const connection = await copyOf([{ ...claimed, fingerprint: 'altered' }]);
  await rebuild(connection);
  expect(await one(connection, request)).toEqual(claimed);
});

it('keeps what the log does not say: failing callbacks, the cancel that won, and fields of a later release', async () => {
  const { again } = await lives();
  const connection = await copyOf(await history.admissions());
  const kept = { callbacksFailing: true, cancelToken: 'the one', later: 1 } as const;
  await requests(connection).updateOne({ _id: again._id }, { $set: kept });
  expect(await verify(connection)).toMatchObject({ differing: NONE });
  await requests(connection).updateOne({ _id: again._id }, { $set: { status: 'pending' } });
  await requests(connection).updateOne({ _id: again._id }, { $set: { ...kept, status: 'pending' } });
  await rebuild(connection);
  expect(await one(connection, again)).toMatchObject({ ...kept, status: 'cancelled' });
});

it('reports an admission that is beyond the event log, and leaves it unchanged', async () => {
  const request = await history.admit();
  await history.answer();
  const connection = await copyOf(await history.admissions());
  await requests(connection).updateOne({ _id: request._id }, { $set: { v: 9 } });
  expect((await verify(connection)).differences).toEqual([{ id: request._id, kind: 'beyond the log', what: ['v'] }]);
  await rebuild(connection);
  expect(await one(connection, request)).toMatchObject({ v: 9 });
});

it('finds no difference if the service catches up during the check', async () => {
  const request = await history.admit();
  await history.answer();
  const connection = await copyOf(await history.admissions());
  await history.start();
  await history.answer();
  await history.report(request, 'failed');
  const [document] = await history.admissions();
  const { log } = history.world.parts;
  let reads = 0;
  // It catches up once the first look is over and the log is read on.
  const read: typeof log.read = async (...args) => {
    if (++reads === admissionsProjection.topics.length + 1)
      await requests(connection).replaceOne({ _id: request._id }, document as RequestDocument);
    return log.read(...args);
  };
  const verified = await verifyProjection(admissionsProjection, {
    connection,
    log: { read },
    tools: tools(),
    pausesMs: [1],
  });
  expect(verified).toMatchObject({ documents: 1, differing: NONE, differences: [] });
});

it('restores no fingerprint and no slot that another admission took on an older copy', async () => {
  const request = await history.admit({ fingerprint: 'shared', groupId: 'group' });
  await history.answer();
  const rival = { ...request, _id: 'acme:rival', srid: 'rival' };
  const connection = await copyOf([rival]);
  await rebuild(connection);
  const rebuilt = await one(connection, request);
  expect(rebuilt).toMatchObject({ status: 'pending', groupId: request.groupId });
  expect(rebuilt).not.toHaveProperty('fingerprint');
  expect(rebuilt).not.toHaveProperty('slot');
  expect((await verify(connection)).differences).toEqual([
    { id: request._id, kind: 'differs', what: ['fingerprint', 'slot'] },
  ]);
});

it('keeps a cancel that a gateway accepts while the admission is rebuilt', async () => {
  const request = await history.admit();
  await history.answer();
  const [document] = await history.admissions();
  const connection = await copyOf([{ ...(document as RequestDocument), v: 0 }]);
  const at = history.world.clock.now();
  let cancelling: Promise<unknown> | undefined;
  const projection: typeof admissionsProjection = {
    ...admissionsProjection,
    merge: (...args) => {
      cancelling ??= requests(connection).updateOne(
        { _id: request._id, status: 'pending' },
        { $set: { status: 'cancelled', seq: 2, cancelledAt: at } },
      );
      return admissionsProjection.merge(...args);
    },
  };
  const { differences } = await rebuildProjection(projection, {
    connection,
    log: history.world.parts.log,
    tools: tools(),
  });
  await cancelling;
  expect(differences).toMatchObject([{ id: request._id, kind: 'changed meanwhile' }]);
  expect(await one(connection, request)).toMatchObject({ status: 'cancelled', seq: 2, v: 0 });
});
