import 'reflect-metadata';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { requestKey, type Identity, type ParticipantExtension } from '@opendsr-service/contracts';
import { defaultLimits } from '@opendsr-service/edge';
import { createLogger, serve, type RunningProcess } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import { Faults } from '@opendsr-service/storage/testing';
import { MasterSeal } from '@opendsr-service/vault';
import { newCredential, openWorkspaces, Participants } from '@opendsr-service/workspaces';
import type { RequestDocument } from '../admission/request.document';
import { requestsCollection } from '../admission/requests-collection.store';
import { World } from '../testing/world';
import { AuditStore } from '../audit/audit.store';
import { IdentitiesController } from './identities.controller';
import { SharedIdentities } from './shared-identities';

class Root {}

const MPID = '-9223372036854775808';
const identities: readonly Identity[] = [
  { type: 'email', value: 'planted@example.com' },
  { type: 'mpid', value: MPID },
];
const everything = [
  { identity_type: 'email', identity_value: 'planted@example.com' },
  { identity_type: 'mpid', identity_value: MPID },
];

let world: World;
let faults: Faults;
let running: RunningProcess;
let request: RequestDocument;
const secrets: Record<string, string> = {};

/** Registers outside participants in two workspaces: `crm` may see everything, `mail` e-mail addresses alone. */
async function register(): Promise<Participants> {
  const { storage, vault, clock } = world.parts;
  const now = () => clock.now().getTime();
  const seal = new MasterSeal(createSecretKey(randomBytes(32)));
  const connection = await storage.database('workspaces');
  const workspaces = await openWorkspaces(connection, vault, seal, now);
  const participants = new Participants(connection, seal, now);
  for (const ws of [world.ws, 'other']) {
    await workspaces.ensureSandbox({ ws, controllerId: 'c', ...newCredential() });
    const crm = await participants.add({ ws, name: 'crm', domain: 'crm.example.com', types: ['access'] });
    const mail = await participants.add({
      ws,
      name: 'mail',
      domain: 'mail.example.com',
      types: ['access'],
      identityTypes: ['email'],
    });
    Object.assign(secrets, { [`${ws}/crm`]: crm.secret, [`${ws}/mail`]: mail.secret });
  }
  return participants;
}

/** Brings the request to where these take part in it. */
async function start(...names: string[]): Promise<void> {
  world.clock.advance(world.waitMs);
  await world.start.runOnce();
  const extensions = names.map((name) => ({
    domain: `${name}.example.com`,
    name,
    status: 'pending' as const,
    statusMessage: null,
  }));
  await world.store.acknowledge({ ws: world.ws, srid: request.srid, v: 1, commandSeq: 1 });
  await world.store.acknowledge({ ws: world.ws, srid: request.srid, v: 2, commandSeq: 2, extensions });
}

async function ask(name: string | undefined, change: { ws?: string; srid?: string; secret?: string } = {}) {
  const { ws = world.ws, srid = request.srid } = change;
  const authorization = `Basic ${Buffer.from(`${name}:${change.secret ?? secrets[`${ws}/${name}`]}`).toString('base64')}`;
  const answer = await fetch(
    `http://127.0.0.1:${running.adminPort}/internal/requests/${ws}/${srid}/identities`,
    name === undefined ? {} : { headers: { authorization } },
  );
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
}
const actions = async () => (await audited()).map(({ participant, action }) => `${participant} ${action}`).sort();
const audited = () => world.parts.connection.collection('audit').find({}).toArray();

beforeEach(async () => {
  world = await World.open();
  const { connection } = world.parts;
  faults = new Faults();
  const audit = new AuditStore(faults.connection(connection));
  await ensureIndexes(connection);
  const shared = new SharedIdentities({
    participants: await register(),
    requests: world.store,
    vault: world.vault,
    audit,
    clock: world.clock,
  });
  const module = {
    module: Root,
    controllers: [IdentitiesController],
    providers: [{ provide: SharedIdentities, useValue: shared }],
  };
  running = await serve({
    module,
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    limits: defaultLimits,
    log: createLogger('test', 'error'),
  });
  request = await world.admit({ identities });
});
afterEach(async () => {
  await running.stop();
  await world.close();
});

it('gives a participant the identities of the request that it may see', async () => {
  await start('crm', 'mail');
  const all = await ask('crm');
  expect(all).toMatchObject({
    status: 200,
    body: { subject_request_id: request.srid, subject_request_type: 'access', identities: everything },
  });
  expect(Object.keys(all.body)).toEqual(['subject_request_id', 'subject_request_type', 'identities']);
  expect(all.headers.get('cache-control')).toBe('no-store');
  expect((await ask('mail', { srid: request.srid.toUpperCase() })).body).toMatchObject({
    subject_request_id: request.srid,
    identities: everything.slice(0, 1),
  });
});

it('answers 401 to a caller that does not prove itself in that workspace', async () => {
  await start('crm');
  const refused = [
    await ask(undefined),
    await ask('crm', { secret: 'wrong' }),
    await ask('nobody', { secret: 'x' }),
    await ask('crm', { secret: secrets['acme/mail'] as string }),
    await ask('crm', { secret: secrets['other/crm'] as string }),
  ];
  for (const { status, body, headers } of refused) {
    expect([status, body.code]).toEqual([401, 401]);
    expect(headers.get('www-authenticate')).toMatch(/^Basic /);
  }
  expect(await audited()).toEqual([]);
});

it('gives the same 404 for requests that are unknown, of others, not started, or not of the participant', async () => {
  const answers = [await ask('crm'), await ask('crm', { srid: randomUUID() }), await ask('crm', { srid: 'no-id' })];
  await start('crm');
  answers.push(await ask('mail'), await ask('crm', { ws: 'other' }));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(answers[0]?.body).toEqual({
    code: 404,
    message: expect.any(String) as string,
    errors: [expect.objectContaining({ domain: 'Request' })],
  });
  expect(await audited()).toEqual([]);
});

it('answers as soon as the request has started, also before the start event comes back', async () => {
  world.clock.advance(world.waitMs);
  await world.start.runOnce();
  expect((await ask('crm')).status).toBe(200);
});

/** Starts it without participants: only the start event names them. */
async function startWithoutParticipants(): Promise<void> {
  world.clock.advance(world.waitMs);
  await (
    await world.parts.storage.database('workspaces')
  )
    .collection<{ _id: string }>('workspaces')
    .deleteOne({ _id: world.ws });
  await world.start.runOnce();
}

it('answers 503 with Retry-After until the start event names the participants', async () => {
  await startWithoutParticipants();
  const early = await ask('crm');
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
  await world.store.acknowledge({ ws: world.ws, srid: request.srid, v: 1, commandSeq: 1 });
  expect((await ask('crm')).status).toBe(503);
  await world.store.acknowledge({ ws: world.ws, srid: request.srid, v: 2, commandSeq: 2 });
  expect((await ask('crm')).status).toBe(404);
});

it('answers 503 until then also where the legal date was extended before the start', async () => {
  await world.store.acknowledge({ ws: world.ws, srid: request.srid, v: 1, commandSeq: 1 });
  expect(await world.extend(request)).toHaveProperty('extendedUntil');
  await startWithoutParticipants();
  await world.store.acknowledge({ ws: world.ws, srid: request.srid, v: 2, commandSeq: 2 });
  expect((await ask('crm')).status).toBe(503);
  await world.store.acknowledge({ ws: world.ws, srid: request.srid, v: 3, commandSeq: 3 });
  expect((await ask('crm')).status).toBe(404);
});

it('answers 410 once the key is destroyed, before and after the sealed fields are removed', async () => {
  await start('crm');
  await world.vault.destroy(world.ws, request.kid, 'request');
  expect((await ask('crm')).status).toBe(410);
  await requestsCollection(world.parts.connection).updateOne(
    { _id: requestKey(world.ws, request.srid) },
    { $unset: { sealed: 1 } },
  );
  const answer = await ask('crm');
  expect([answer.status, answer.body.code]).toEqual([410, 410]);
  expect(await actions()).toEqual(['crm identities-refused', 'crm identities-refused']);
});

describe('a participant that the request no longer waits for', () => {
  const shares = (status: ParticipantExtension['status']) =>
    ['crm', 'mail'].map(
      (name) =>
        ({
          domain: `${name}.example.com`,
          name,
          status: name === 'crm' ? status : 'pending',
          statusMessage: null,
        }) as const,
    );
  const hear = (v: number, extensions: readonly ParticipantExtension[]) =>
    world.store.acknowledge({ ws: world.ws, srid: request.srid, v, commandSeq: 2, extensions });
  const refused = async (name: string) => {
    const { status, body } = await ask(name);
    expect(JSON.stringify(body)).not.toContain('planted');
    return status;
  };
  beforeEach(() => start('crm', 'mail'));

  it('is answered 410 after its share was skipped or waived, while others are still answered', async () => {
    await hear(3, shares('skipped'));
    expect([await refused('crm'), (await ask('mail')).status]).toEqual([410, 200]);
    expect(await actions()).toEqual(['crm identities-refused', 'mail identities-read']);
  });

  it('is answered 410 after the request has completed, and each refusal is audited', async () => {
    await hear(3, shares('failed'));
    expect((await ask('crm')).status).toBe(200);
    await world.store.complete({ ws: world.ws, srid: request.srid, v: 4, commandSeq: 2 }, world.clock.now());
    expect([await refused('crm'), await refused('mail')]).toEqual([410, 410]);
    expect(await actions()).toEqual(['crm identities-read', 'crm identities-refused', 'mail identities-refused']);
  });

  it('is answered 410 once the participant has reported, while others are awaited', async () => {
    await hear(3, shares('sent'));
    expect(await refused('crm')).toBe(410);
  });

  it('is answered 503 if the refusal cannot be audited', async () => {
    await hear(3, shares('skipped'));
    faults.dieAt(1);
    expect(await refused('crm')).toBe(503);
  });
});

it('audits each read before it answers, with the participant and without identities', async () => {
  await start('crm');
  await ask('crm');
  const [note, ...more] = await audited();
  expect(more).toEqual([]);
  expect(note).toEqual({
    _id: expect.any(String) as string,
    ws: 'acme',
    srid: request.srid,
    participant: 'crm',
    action: 'identities-read',
    at: world.clock.now(),
    requestId: expect.any(String) as string,
  });
  expect(JSON.stringify(note)).not.toMatch(/planted|9223372036854775808|dsrp_/);
});

it('answers 503 if the read cannot be audited', async () => {
  await start('crm');
  faults.dieAt(1);
  const answer = await ask('crm');
  expect(answer.status).toBe(503);
  expect(JSON.stringify(answer.body)).not.toContain('planted');
});

it('answers 404 on the public port', async () => {
  await start('crm');
  const authorization = `Basic ${Buffer.from(`crm:${secrets['acme/crm']}`).toString('base64')}`;
  const answer = await fetch(`http://127.0.0.1:${running.port}/internal/requests/acme/${request.srid}/identities`, {
    headers: { authorization },
  });
  expect(answer.status).toBe(404);
});
