import { createHash } from 'node:crypto';
import { messageId, requestEvents, type RequestEvent } from '@opendsr-service/contracts';
import type { RequestDocument } from '../admission/request.document';
import { World } from '../testing/world';

const keptUntil = () => new Date(world.clock.now().getTime() + world.keepMs);
const sealed = 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=';
const work = { type: 'access', kid: 'k', identities: sealed } as const;

let world: World;
let request: RequestDocument;
const event = (version: number, commandSeq: number, more: object): RequestEvent =>
  ({
    id: messageId(request.srid, version),
    ws: world.ws,
    srid: request.srid,
    version,
    commandSeq,
    at: world.clock.now().toISOString(),
    ...more,
  }) as RequestEvent;
const received = () => event(1, 1, { type: 'RequestReceived' });
const cancelled = () => event(2, 2, { type: 'RequestCancelled' });
const started = () => event(2, 2, { type: 'RequestStarted', participants: ['results'], work });
const reported = () => event(3, 2, { type: 'ParticipantReported', participant: 'results', status: 'completed' });
const fulfilled = () => event(4, 2, { type: 'RequestFulfilled' });
const completed = () => event(5, 3, { type: 'RequestCompleted' });

const start = async () => {
  world.clock.advance(world.waitMs);
  await world.start.runOnce();
};

beforeEach(async () => {
  world = await World.open();
  request = await world.admit();
});
afterEach(() => world.close());

it('follows a request to its end, and changes its status only on RequestFulfilled', async () => {
  expect(await world.view.apply(received())).toBe('done');
  expect(await world.find(request)).toMatchObject({ status: 'pending', v: 1, outbox: [] });
  await start();
  for (const [next, v] of [
    [started(), 2],
    [reported(), 3],
  ] as const) {
    expect(await world.view.apply(next)).toBe('done');
    expect(await world.find(request)).toMatchObject({ status: 'in_progress', v, outbox: [] });
  }
  expect(await world.view.apply(fulfilled())).toBe('done');
  expect(await world.find(request)).toMatchObject({
    status: 'completed',
    v: 4,
    seq: 3,
    completedAt: world.clock.now(),
    outbox: [{ type: 'CompleteRequest' }],
  });
  expect(await world.view.apply(completed())).toBe('done');
  expect(await world.find(request)).toMatchObject({ status: 'completed', v: 5, outbox: [] });
});

it('applies the version and command number of an event of an unknown type, and shows nothing of it', async () => {
  expect(await world.view.apply(event(1, 1, { type: 'SomethingNew' }))).toBe('done');
  expect(await world.find(request)).toMatchObject({ status: 'pending', v: 1, outbox: [] });
  await start();
  expect(await world.view.apply(started())).toBe('done');
});

it('follows a cancelled request', async () => {
  await world.store.cancel(world.ws, request.srid, world.clock.now());
  expect(await world.view.apply(received())).toBe('done');
  expect(await world.find(request)).toMatchObject({ status: 'cancelled', v: 1, outbox: [{ type: 'CancelRequest' }] });
  expect(await world.view.apply(cancelled())).toBe('done');
  expect(await world.find(request)).toMatchObject({ status: 'cancelled', v: 2, outbox: [] });
});

it('notes for the attestation what participants reported, the digest of the last event, and from when it is due', async () => {
  await start();
  const failed = event(3, 2, { type: 'ParticipantReported', participant: 'crm', status: 'failed' });
  const waived = event(4, 2, { type: 'ParticipantReported', participant: 'crm', status: 'skipped', waivedBy: 'jo' });
  const destroyed = { keys: 0, tombstones: [] };
  const last = event(5, 2, { type: 'ParticipantReported', participant: 'results', status: 'completed', destroyed });
  const at = world.clock.now();
  await world.view.applyRun([received(), started(), failed, waived]);
  await world.view.applyRun([last, event(6, 2, { type: 'RequestFulfilled' })]);
  expect(await world.find(request)).not.toHaveProperty('attestAt');
  const end = event(7, 3, { type: 'RequestCompleted' });
  await world.view.apply(end);
  expect(await world.find(request)).toMatchObject({
    reports: {
      crm: { status: 'skipped', at: at.toISOString(), waivedBy: 'jo' },
      results: { status: 'completed', at: at.toISOString(), destroyed },
    },
    history: createHash('sha256').update(requestEvents.encode(end).value).digest('base64url'),
    attestAt: at,
  });
});

it('ignores every repeated event', async () => {
  await start();
  const life = [received(), started(), reported(), fulfilled(), completed()];
  for (const next of life) await world.view.apply(next);
  const end = await world.find(request);
  for (const again of life) expect(await world.view.apply(again)).toBe('skip');
  expect(await world.find(request)).toEqual(end);
});

it('applies consecutive events by one write, and refuses those that need several', async () => {
  await start();
  const life = [received(), started(), reported(), fulfilled()];
  const extensions = [{ domain: 'crm.example', name: 'crm', status: 'sent', statusMessage: null }];
  const withExtensions = life.map((one) => (one.version === 3 ? ({ ...one, extensions } as RequestEvent) : one));
  expect(await world.view.applyRun([...life, completed()])).toBe(false);
  expect(await world.view.applyRun([received(), reported()])).toBe(false);
  expect(await world.find(request)).toMatchObject({ v: 0 });
  expect(await world.view.applyRun(withExtensions)).toBe(true);
  expect(await world.find(request)).toMatchObject({
    status: 'completed',
    v: 4,
    extensions,
    outbox: [{ type: 'CompleteRequest' }],
  });
  expect(await world.view.applyRun(withExtensions)).toBe(false);
});

it('applies a cancel and the events before it by one write, and sets the due time of the key', async () => {
  await world.store.cancel(world.ws, request.srid, world.clock.now());
  expect(await world.view.applyRun([received(), cancelled()])).toBe(true);
  expect(await world.find(request)).toMatchObject({ v: 2, outbox: [], keyDueAt: keptUntil() });
});

it('parks an event whose predecessor is missing, and one of an unknown request', async () => {
  expect(await world.view.apply(started())).toEqual({ park: 'version-gap' });
  await start();
  expect(await world.view.apply(fulfilled())).toEqual({ park: 'version-gap' });
  expect(await world.find(request)).toMatchObject({ status: 'in_progress', v: 0 });
  request = { ...request, srid: '475974fa-6b42-4370-bb56-b5d845686bb5' };
  expect(await world.view.apply(received())).toEqual({ park: 'unknown-request' });
});

it('shows outside participants as in the last event that names them', async () => {
  const share = (status: 'pending' | 'sent' | 'failed') => [
    { domain: 'crm.example.com', name: 'crm', status, statusMessage: null },
  ];
  await start();
  await world.view.apply(received());
  expect(await world.find(request)).not.toHaveProperty('extensions');
  for (const [next, status] of [
    [started(), 'pending'],
    [reported(), 'failed'],
  ] as const) {
    expect(await world.view.apply({ ...next, extensions: share(status) } as RequestEvent)).toBe('done');
    expect(await world.find(request)).toMatchObject({ status: 'in_progress', extensions: share(status) });
  }
  await world.view.apply(fulfilled());
  expect(await world.find(request)).toMatchObject({ extensions: share('failed') });
  expect(await world.view.apply({ ...completed(), extensions: share('sent') } as RequestEvent)).toBe('done');
  expect(await world.find(request)).toMatchObject({ status: 'completed', v: 5, extensions: share('sent') });
});

it('sets the due time of the key on the last event, counted from the end of the request', async () => {
  await start();
  for (const next of [received(), started(), reported(), fulfilled()]) await world.view.apply(next);
  const [completion, due] = [completed(), keptUntil()];
  world.clock.advance(5_000);
  expect(await world.find(request)).not.toHaveProperty('keyDueAt');
  await world.view.apply(completion);
  expect(await world.find(request)).toMatchObject({ keyDueAt: due });
});

it('sets the due time of the key for a cancelled request as well', async () => {
  await world.store.cancel(world.ws, request.srid, world.clock.now());
  await world.view.apply(received());
  expect(await world.find(request)).not.toHaveProperty('keyDueAt');
  await world.view.apply(cancelled());
  expect(await world.find(request)).toMatchObject({ keyDueAt: keptUntil() });
});
