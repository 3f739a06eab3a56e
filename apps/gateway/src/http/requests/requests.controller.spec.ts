import 'reflect-metadata';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { Module, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { commands, identitiesSeal, TOPICS, V2, type Command, type Identity } from '@opendsr-service/contracts';
import { beforeBody, createAdapter, defaultLimits, type EdgeAdapter } from '@opendsr-service/edge';
import { MasterSeal, openVault, type Vault } from '@opendsr-service/vault';
import { newCredential, openWorkspaces } from '@opendsr-service/workspaces';
import { SignatureCache } from '../answers/signature-cache';
import { StatusRecords } from '../answers/status-records';
import { authenticate } from '../caller';
import { defaultCreateLimits } from '../../intake/create-limits';
import { NamedSigner } from '../../testing/signer';
import { World } from '../../testing/world';
import { INTAKE_RULES, SERVED_VERSIONS } from '../tokens';
import { Admissions } from '../../admission/admissions';
import { CommandPublisher } from '../../admission/command-publisher.client';
import { requestsCollection } from '../../admission/requests-collection.store';
import { requestsController } from './requests.controller';

const credential = newCredential();
const signer = new NamedSigner('dsr.example.com');
const processor = { version: V2, domain: signer.domain, publicUrl: '', certificatesUrl: '', signer };
const times = {
  waitingTimesMs: { access: 1_000, portability: 1_000, erasure: 1_000 },
  completionMs: 1_000,
  publishWaitMs: 30_000,
};

let world: World;
let vault: Vault;
let app: INestApplication;
let address: string;

beforeAll(async () => {
  world = await World.open();
  const { storage, clock, publisher } = world.parts;
  const now = () => clock.now().getTime();
  const masterKey = createSecretKey(randomBytes(32));
  const opened = await openVault(await storage.database('other-keys'), { masterKey }, now, publisher);
  ({ vault } = opened);
  const workspaces = await openWorkspaces(await storage.database('workspaces'), vault, new MasterSeal(masterKey), now);
  await workspaces.ensureSandbox({ ws: world.ws, controllerId: 'c', ...credential });
  @Module({
    controllers: [requestsController(V2)],
    providers: [
      {
        provide: Admissions,
        useValue: new Admissions({
          store: world.store,
          vault,
          publisher: new CommandPublisher(publisher),
          clock,
          times,
        }),
      },
      {
        provide: StatusRecords,
        useValue: new StatusRecords(
          opened.linkKeys,
          new Map([[V2.apiVersion, processor]]),
          new SignatureCache(100),
          vault,
        ),
      },
      {
        provide: INTAKE_RULES,
        useValue: { callbackUrlFault: () => undefined, refusesNames: undefined, limits: defaultCreateLimits },
      },
      { provide: SERVED_VERSIONS, useValue: new Map([[V2.apiVersion, processor]]) },
    ],
  })
  class Requests {}
  app = await NestFactory.create(Requests, createAdapter(defaultLimits), { logger: false });
  beforeBody(
    app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter,
    () => true,
    (http) => authenticate(http, workspaces),
  );
  await app.listen(0, '127.0.0.1');
  address = `${await app.getUrl()}/${V2.root}/${V2.requestsRoute}`;
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const authorization = `Basic ${Buffer.from(`${credential.key}:${credential.secret}`).toString('base64')}`;
const call = (method: string, rest: string): Promise<Response> =>
  fetch(`${address}${rest}`, { method, headers: { authorization } });
const post = (body: string): Promise<Response> =>
  fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json', authorization } });
const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;

interface Receipt {
  readonly subject_request_id: string;
  readonly received_time: string;
  readonly expected_completion_time: string | null;
  readonly encoded_request: string;
}

/** A create as text, so that its keys reach the gateway as they stand here. */
const create = (extensions: string, value = '"ann@example.com"'): string =>
  `{"regulation":"gdpr","subject_request_id":"${randomUUID()}","subject_request_type":"access","submitted_time":"2026-11-20T08:00:00Z","subject_identities":[{"identity_type":"controller_customer_id","identity_value":${value},"identity_format":"raw"}],"extensions":${extensions}}`;

it('accepts keys like constructor in extensions, refuses __proto__, and reads its own extension', async () => {
  const others =
    '{"constructor":{"name":"x"},"else.example":{"constructor":1,"toString":2,"deep":[{"constructor":{"a":1}}]}}';
  expect((await post(create(others, '"1"'))).status).toBe(201);
  const own = '{"constructor":1,"dsr.example.com":{"mpids":[7],"constructor":"x","toString":[]}}';
  expect((await post(create(own, '"2"'))).status).toBe(201);
  expect((await post(create('{"else.example":{"__proto__":{}}}'))).status).toBe(400);
});

it('refuses an identity with a lone surrogate, because different ones would name the same person', async () => {
  const answers = await Promise.all(
    ['"a\\ud800"', '"a\\udc00"', '"\\udc00\\ud800"'].map((value) => post(create('{}', value))),
  );
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: [{ message: 'subject_identities[0].identity_value must be text of 1 to 4096 Unicode characters' }],
    });
  }
  expect((await post(create('{}', '"a\\ud83d\\ude00"'))).status).toBe(201);
});

/** The body of a create for somebody new. */
const body = (more: object = {}) => ({
  ...{
    regulation: 'gdpr',
    subject_request_id: randomUUID(),
    subject_request_type: 'access',
    submitted_time: '2026-11-20',
  },
  ...{
    subject_identities: [
      { identity_type: 'controller_customer_id', identity_value: randomUUID(), identity_format: 'raw' },
    ],
    ...more,
  },
});
const faultsOf = async (answer: Promise<Response>): Promise<[number, string[]]> => {
  const { code, errors } = await json<{ code: number; errors: { message: string }[] }>(answer);
  return [code, errors.map(({ message }) => message)];
};

it('a receipt holds the exact bytes of the create, with its white space and byte order mark', async () => {
  const text = JSON.stringify(body());
  const mixed = `\ufeff \r\n\t${JSON.stringify(body({ group_id: null, note: '\u00e9' }), null, 3).replace('{', '{"b":1.0,"a":1e2,"b":2,')}\n `;
  for (const sent of [text, mixed]) {
    const answer = await post(sent);
    expect(answer.status).toBe(201);
    const { encoded_request } = await json<Receipt>(Promise.resolve(answer));
    expect(Buffer.from(encoded_request, 'base64').equals(Buffer.from(sent))).toBe(true);
    expect(encoded_request).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  }
});

it('seals and publishes each mpid with the exact digits of the body', async () => {
  const digits = [
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '1234567890123456789',
    '7',
  ];
  const srid = randomUUID();
  const text = JSON.stringify(body({ subject_request_id: srid, subject_identities: undefined })).replace(/}$/, '');
  const list = digits.map((each, n) => (n % 2 === 0 ? each : `"${each}"`)).join(', ');
  expect((await post(`${text},"extensions":{"dsr.example.com":{"mpids":[${list}]}}}`)).status).toBe(201);
  const sent: Command[] = [];
  await world.parts.log.read(TOPICS.commands.name, {}, (records) =>
    Promise.resolve(void sent.push(...records.map((record) => commands.decode(record)))),
  );
  const submitted = sent.find((command) => command.srid === srid);
  if (submitted?.type !== 'SubmitRequest') throw new Error('the command of the create is not in the topic');
  const { kid, identities } = submitted.request;
  const opened =
    (await vault.key(world.ws, kid))?.open(identitiesSeal({ ws: world.ws, srid }), identities).toString() ?? '[]';
  expect((JSON.parse(opened) as Identity[]).map(({ value }) => value).sort()).toEqual([...digits].sort());
});

it('accepts an id in any case, and answers it as the create had it', async () => {
  const id = randomUUID();
  const [sent, group_id] = [id.toUpperCase(), randomUUID()];
  const spellings = [id, sent, `${id.slice(0, 18)}${sent.slice(18)}`];
  expect(await json(post(JSON.stringify(body({ subject_request_id: sent, group_id }))))).toMatchObject({
    subject_request_id: sent,
  });
  for (const spelling of spellings)
    expect(await json(call('GET', `/${spelling}`))).toMatchObject({
      subject_request_id: sent,
      request_status: 'pending',
    });
  for (const spelling of spellings)
    expect((await post(JSON.stringify(body({ subject_request_id: spelling })))).status).toBe(400);
  expect(await json(call('GET', `?group_id=${group_id}`))).toMatchObject([{ subject_request_id: sent }]);
  expect(await json(call('DELETE', `/${id}`))).toMatchObject({ subject_request_id: sent });
  expect(await json(call('GET', `/${id}`))).toMatchObject({ subject_request_id: sent, request_status: 'cancelled' });
  expect(await requestsCollection(world.parts.connection).findOne({ srid: id })).toMatchObject({
    _id: `${world.ws}:${id}`,
    sentId: sent,
  });
});

it('answers a cancel with its own received time and no expected time, which only the status keeps', async () => {
  const given = body();
  const made = await json<Receipt>(post(JSON.stringify(given)));
  world.clock.advance(250);
  const { received_time, expected_completion_time } = await json<Receipt>(
    call('DELETE', `/${given.subject_request_id}`),
  );
  expect([made.received_time < received_time, received_time, expected_completion_time]).toEqual([
    true,
    world.clock.now().toISOString(),
    null,
  ]);
  expect(await json(call('GET', `/${given.subject_request_id}`))).toMatchObject({
    request_status: 'cancelled',
    expected_completion_time: made.expected_completion_time,
  });
  for (const time of [made.received_time, made.expected_completion_time, received_time])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

it('answers a create and a cancel whose commands the log does not acknowledge in time', async () => {
  const given = body();
  world.publisher.slow = true;
  expect((await post(JSON.stringify(given))).status).toBe(201);
  expect((await call('DELETE', `/${given.subject_request_id}`)).status).toBe(202);
  world.publisher.slow = false;
});

it('lists a group by received time, then id, also under a name of 256 emoji', async () => {
  const group_id = '\u{1f600}'.repeat(256);
  const ids = Array.from({ length: 3 }, () => randomUUID()).sort();
  await Promise.all([2, 1].map((n) => post(JSON.stringify(body({ subject_request_id: ids[n], group_id })))));
  world.clock.advance(1);
  await post(JSON.stringify(body({ subject_request_id: ids[0], group_id })));
  const list = await json<{ subject_request_id: string }[]>(call('GET', `?group_id=${encodeURIComponent(group_id)}`));
  expect(list.map((record) => record.subject_request_id)).toEqual([ids[1], ids[2], ids[0]]);
});

it.each(['', '?group_id=', '?group_id', '?group_id=a&group_id=b', `?group_id=${'g'.repeat(257)}`, '?group=g'])(
  'refuses a list that does not name exactly one group: %s',
  async (query) => {
    expect(await faultsOf(call('GET', query))).toEqual([
      400,
      ['group_id must be given once, with 1 to 256 characters'],
    ]);
  },
);

it('reports an invalid body before an existing id, and an existing id before the same request', async () => {
  const taken = body();
  await post(JSON.stringify(taken));
  expect(await faultsOf(post(JSON.stringify({ ...taken, regulation: 'x', submitted_time: 'x' })))).toEqual([
    400,
    [expect.stringMatching(/^regulation/), expect.stringMatching(/^submitted_time/)],
  ]);
  expect(await faultsOf(post(JSON.stringify(taken)))).toEqual([400, ['The subject request already exists.']]);
  expect((await faultsOf(post(JSON.stringify({ ...taken, subject_request_id: randomUUID() }))))[0]).toBe(409);
});
