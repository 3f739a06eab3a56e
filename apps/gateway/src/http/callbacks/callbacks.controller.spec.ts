import 'reflect-metadata';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { Module, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { commands, TOPICS, V1, V2, type ProtocolVersion, type ReplayCallback } from '@opendsr-service/contracts';
import { beforeBody, createAdapter, defaultLimits, type EdgeAdapter } from '@opendsr-service/edge';
import { MasterSeal } from '@opendsr-service/vault';
import { newCredential, openWorkspaces } from '@opendsr-service/workspaces';
import { SignatureCache } from '../answers/signature-cache';
import { authenticate } from '../caller';
import type { RequestDocument } from '../../admission/request.document';
import { requestsCollection } from '../../admission/requests-collection.store';
import { callbackEvents, second } from '../../testing/callback-events';
import { processorOf } from '../../testing/processor';
import { World } from '../../testing/world';
import { SERVED_VERSIONS } from '../tokens';
import { RequestCallbacks } from '../../callbacks/request-callbacks';
import { callbacksController } from './callbacks.controller';

const [owner, stranger] = [newCredential(), newCredential()];
const URL = 'https://a.example.com/callbacks?of=planted';
const basic = ({ key, secret }: typeof owner): string => `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

let world: World;
let app: INestApplication;
let address: string;

beforeAll(async () => {
  world = await World.open();
  const { storage, clock, publisher } = world.parts;
  const workspaces = await openWorkspaces(
    await storage.database('workspaces'),
    world.vault,
    new MasterSeal(createSecretKey(randomBytes(32))),
    () => clock.now().getTime(),
  );
  await workspaces.ensureSandbox({ ws: world.ws, controllerId: 'c', ...owner });
  await workspaces.ensureSandbox({ ws: 'stranger', controllerId: 'd', ...stranger });
  const callbacks = new RequestCallbacks({
    requests: world.store,
    ledger: world.ledger,
    vault: world.vault,
    publisher,
    clock,
  });
  @Module({
    controllers: [V2, V1].map(callbacksController),
    providers: [
      { provide: RequestCallbacks, useValue: callbacks },
      { provide: SignatureCache, useValue: new SignatureCache(10) },
      {
        provide: SERVED_VERSIONS,
        useValue: new Map([V2, V1].map((version) => [version.apiVersion, processorOf(version)])),
      },
    ],
  })
  class Ledger {}
  app = await NestFactory.create(Ledger, createAdapter(defaultLimits), { logger: false });
  beforeBody(
    app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter,
    () => true,
    (http) => authenticate(http, workspaces),
  );
  await app.listen(0, '127.0.0.1');
  address = await app.getUrl();
});
afterAll(async () => {
  await app.close();
  await world.close();
});
beforeEach(() => Object.assign(world.publisher, { away: false, slow: false }));

interface Call {
  readonly method?: string;
  readonly as?: typeof owner;
  readonly version?: ProtocolVersion;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const call = (
  path: string,
  { method = 'GET', as = owner, version = V2, body, headers = {} }: Call = {},
): Promise<Response> =>
  fetch(`${address}/${version.root}/${version.requestsRoute}/${path}`, {
    method,
    headers: { authorization: basic(as), ...headers },
    ...(body !== undefined && { body }),
  });
const replay = (srid: string, delivery: string, more: Call = {}) =>
  call(`${srid}/callbacks/${delivery}/replay`, { method: 'POST', ...more });

/** Admits a request with one URL, and lets what is callback of its first callback happen. */
async function admit(
  callback: (of: ReturnType<typeof callbackEvents>) => Parameters<World['ledger']['applyEvents']>[0],
) {
  const request = await world.admit({ callbackUrls: [URL] });
  const [destination = ''] = request.openDestinations ?? [];
  const of = callbackEvents({ ws: world.ws, srid: request.srid, destination });
  await world.ledger.applyEvents(callback(of));
  return { ...request, destination, ...of };
}
type Admitted = Awaited<ReturnType<typeof admit>>;
const delivered = () =>
  admit(({ queued, attempted, nextAt }) => [
    queued(0, 15),
    attempted(1, 16, 'unreachable', { nextAt: nextAt(30) }),
    attempted(2, 31, 'delivered', { httpStatus: 202, durationMs: 41 }),
  ]);
const waiting = () => admit(({ queued }) => [queued(0, 15)]);

const answerTo = ({ delivery }: Pick<Admitted, 'delivery'>, more: object = {}) => ({
  ...{
    delivery_id: delivery,
    status_callback_url: URL,
    request_status: 'pending',
    status_time: second(0).toISOString(),
    state: 'delivered',
    reason: null,
    attempt_count: 2,
    next_attempt_time: null,
  },
  attempts: [
    { attempt: 1, time: second(16).toISOString(), outcome: 'unreachable', http_status: null, duration_ms: null },
    { attempt: 2, time: second(31).toISOString(), outcome: 'delivered', http_status: 202, duration_ms: 41 },
  ],
  ...more,
});
async function replaysOf({ srid }: Pick<RequestDocument, 'srid'>): Promise<ReplayCallback[]> {
  const sent: ReplayCallback[] = [];
  await world.parts.log.read(TOPICS.commands.name, {}, (records) => {
    for (const record of records) {
      const command = commands.decode(record);
      if (command.type === 'ReplayCallback' && command.srid === srid) sent.push(command);
    }
    return Promise.resolve();
  });
  return sent;
}

describe.each([V2, V1])('the callbacks of a request in version $apiVersion', (version) => {
  it('are listed with their attempts, signed, under the id in any case', async () => {
    const callback = await delivered();
    for (const id of [callback.srid, callback.srid.toUpperCase()]) {
      const answer = await call(`${id}/callbacks`, { version });
      expect([
        answer.status,
        answer.headers.get(version.domainHeader),
        answer.headers.get(version.signatureHeader),
      ]).toEqual([200, processorOf(version).domain, 'c2lnbmF0dXJl']);
      expect(await answer.json()).toEqual({ subject_request_id: callback.srid, callbacks: [answerTo(callback)] });
    }
  });

  it('are replayed once the event log has the command, and are answered in their current state', async () => {
    const callback = await delivered();
    const answer = await replay(callback.srid.toUpperCase(), callback.delivery.toUpperCase(), { version });
    expect([answer.status, answer.headers.get(version.signatureHeader), await answer.json()]).toEqual([
      202,
      'c2lnbmF0dXJl',
      answerTo(callback),
    ]);
    const { srid, destination, delivery } = callback;
    expect(await replaysOf(callback)).toEqual([
      {
        type: 'ReplayCallback',
        id: expect.any(String) as string,
        ws: world.ws,
        srid,
        destination,
        delivery,
        version: 1,
        at: expect.any(String) as string,
      },
    ]);
  });
});

it('answers the id in the spelling of the create, for every spelling in the path', async () => {
  const { _id, srid } = await waiting();
  const sentId = srid.toUpperCase();
  await requestsCollection(world.parts.connection).updateOne({ _id: _id }, { $set: { sentId } });
  for (const spelling of [srid, sentId])
    expect(await (await call(`${spelling}/callbacks`)).json()).toMatchObject({ subject_request_id: sentId });
});

it('accepts a trailing slash, and lists no callbacks for a request without any', async () => {
  const { srid } = await world.admit();
  for (const path of [`${srid}/callbacks`, `${srid}/callbacks/`])
    expect(await (await call(path)).json()).toEqual({ subject_request_id: srid, callbacks: [] });
  const callback = await delivered();
  expect((await call(`${callback.srid}/callbacks/${callback.delivery}/replay/`, { method: 'POST' })).status).toBe(202);
});

it.each([
  [
    'waits',
    () => waiting(),
    { state: 'waiting', attempt_count: 0, next_attempt_time: second(15).toISOString(), attempts: [] },
  ],
  [
    'is given up',
    () => admit(({ queued, givenUp }) => [queued(0, 15), givenUp(16, 'key-destroyed')]),
    { state: 'given_up', reason: 'key_destroyed', attempt_count: 0, attempts: [] },
  ],
] as const)('lists a callback that %s', async (_how, make, more) => {
  const callback = await make();
  expect(await (await call(`${callback.srid}/callbacks`)).json()).toEqual({
    subject_request_id: callback.srid,
    callbacks: [answerTo(callback, more)],
  });
});

it('answers for requests and callbacks of others byte for byte as for unknown ones', async () => {
  const callback = await delivered();
  const [unknown, mine] = [randomUUID(), (await delivered()).srid];
  const strangers = [
    call(`${callback.srid}/callbacks`, { as: stranger }),
    call(`${unknown}/callbacks`),
    call('no-id/callbacks'),
    replay(callback.srid, callback.delivery, { as: stranger }),
    replay(unknown, callback.delivery),
    replay(callback.srid, unknown),
    replay(mine, callback.delivery),
    replay(callback.srid, 'no-id'),
  ];
  const answers = await Promise.all(
    strangers.map(async (answer) => [(await answer).status, await (await answer).text()]),
  );
  for (const answer of answers)
    expect(answer).toEqual([
      404,
      '{"code":404,"message":"Nothing is known under this address.","errors":[{"domain":"Request","reason":"NotFoundException","message":"Nothing is known under this address."}]}',
    ]);
  expect(await replaysOf(callback)).toEqual([]);
});

describe('a replay', () => {
  it.each([
    ['nothing', {}],
    ['nothing of a type', { headers: { 'content-type': 'application/json' } }],
    ['JSON, which it ignores', { headers: { 'content-type': 'application/json' }, body: '{"planted":[1]}' }],
  ])('needs no body: it takes %s', async (_what, more: Call) => {
    const callback = await delivered();
    expect((await replay(callback.srid, callback.delivery, more)).status).toBe(202);
    expect(await replaysOf(callback)).toHaveLength(1);
  });

  it.each([
    ['malformed JSON', 'application/json', '{"planted"', 400],
    ['text', 'text/plain', 'planted', 415],
    ['more than a body may have', 'application/json', `"${'x'.repeat(defaultLimits.bodyBytes)}"`, 413],
  ])('is refused with a body of %s, like every call', async (_what, type, body, status) => {
    const callback = await delivered();
    const answer = await replay(callback.srid, callback.delivery, { headers: { 'content-type': type }, body });
    expect(answer.status).toBe(status);
    expect(await replaysOf(callback)).toEqual([]);
  });

  it('is refused while the callback still waits to be sent', async () => {
    const callback = await waiting();
    const answer = await replay(callback.srid, callback.delivery);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      {
        errors: [
          {
            domain: 'Validation',
            reason: 'InvalidOperationException',
            message: 'The callback still waits to be sent.',
          },
        ],
      },
    ]);
    expect(await replaysOf(callback)).toEqual([]);
  });

  it.each(['away', 'slow'] as const)('is answered 503 with a time to retry while the event log is %s', async (how) => {
    const callback = await delivered();
    world.publisher[how] = true;
    const answer = await replay(callback.srid, callback.delivery);
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
      503,
      '1',
      { code: 503, errors: [{ reason: 'UnavailableException' }] },
    ]);
    expect(await replaysOf(callback)).toEqual([]);
  });

  it('keeps its id for repeated calls until the ledger shows it, and is dated after the last queueing', async () => {
    const callback = await delivered();
    await replay(callback.srid, callback.delivery);
    await replay(callback.srid, callback.delivery);
    const [first, repeat] = await replaysOf(callback);
    expect(repeat?.id).toBe(first?.id);
    const ahead = 3_600;
    await world.ledger.applyEvents([
      callback.queued(ahead, ahead + 1, true),
      callback.attempted(3, ahead + 1, 'gone', { httpStatus: 410, durationMs: 1 }),
    ]);
    await replay(callback.srid, callback.delivery);
    const [, , last] = await replaysOf(callback);
    expect(last?.id).not.toBe(first?.id);
    expect(last?.at).toBe(new Date(second(ahead).getTime() + 1).toISOString());
  });

  it.each([
    ['the key is destroyed', (callback: Admitted) => world.vault.destroy(world.ws, callback.kid, 'request')],
    [
      'a tombstone took what it had sealed',
      (callback: Admitted) =>
        world.keys.applyTombstones([
          {
            type: 'KeyDestroyed',
            id: randomUUID(),
            ws: world.ws,
            kid: callback.kid,
            scope: 'request',
            at: second(0).toISOString(),
          },
        ]),
    ],
  ])('is answered 410 once %s, and the list shows no URL', async (_how, destroy) => {
    const [callback, late] = [await delivered(), await waiting()];
    for (const one of [callback, late]) await destroy(one);
    expect(await (await call(`${callback.srid}/callbacks`)).json()).toEqual({
      subject_request_id: callback.srid,
      callbacks: [answerTo(callback, { status_callback_url: null })],
    });
    for (const one of [callback, late]) {
      const answer = await replay(one.srid, one.delivery);
      expect([answer.status, await answer.json()]).toMatchObject([
        410,
        { code: 410, errors: [{ domain: 'Request', reason: 'GoneException' }] },
      ]);
      expect(await replaysOf(one)).toEqual([]);
    }
    expect((await replay(callback.srid, randomUUID())).status).toBe(404);
  });
});
