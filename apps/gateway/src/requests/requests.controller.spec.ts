import 'reflect-metadata';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { Module, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { V2 } from '@opendsr-service/contracts';
import { beforeBody, createAdapter, defaultLimits, type EdgeAdapter } from '@opendsr-service/edge';
import { MasterSeal, openVault } from '@opendsr-service/vault';
import { newCredential, openWorkspaces } from '@opendsr-service/workspaces';
import { StatusRecords } from '../answers/status-records';
import { authenticate } from '../caller/caller';
import { World } from '../testing/world';
import { INTAKE_RULES, PROCESSORS } from '../tokens';
import { Admissions } from './admissions';
import { Outbox } from './outbox.client';
import { requestsController } from './requests.controller';

const credential = newCredential();
const signer = { domain: 'dsr.example.com', certificatePem: '', fingerprint: '', sign: () => Promise.resolve('signature') };
const processor = { version: V2, domain: signer.domain, publicUrl: '', certificateUrl: '', signer };
const times = { waitingTimesMs: { access: 1_000, portability: 1_000, erasure: 1_000 }, completionMs: 1_000, publishWaitMs: 1_000 };

let world: World;
let app: INestApplication;
let address: string;

beforeAll(async () => {
  world = await World.open();
  const { storage, clock, publisher } = world.parts;
  const now = () => clock.now().getTime();
  const masterKey = createSecretKey(randomBytes(32));
  const { vault, linkKeys } = await openVault(await storage.database('other-keys'), masterKey, now, publisher);
  const workspaces = await openWorkspaces(await storage.database('workspaces'), vault, new MasterSeal(masterKey), now);
  await workspaces.ensureSandbox({ ws: world.ws, controllerId: 'c', ...credential });
  @Module({
    controllers: [requestsController(V2)],
    providers: [
      { provide: Admissions, useValue: new Admissions({ store: world.store, vault, outbox: new Outbox(publisher), clock, times }) },
      { provide: StatusRecords, useValue: new StatusRecords(linkKeys, new Map([[V2.apiVersion, processor]])) },
      { provide: INTAKE_RULES, useValue: { callbackUrlFault: () => undefined } },
      { provide: PROCESSORS, useValue: new Map([[V2.apiVersion, processor]]) },
    ],
  })
  class Requests {}
  app = await NestFactory.create(Requests, createAdapter(defaultLimits), { logger: false });
  beforeBody(app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter, () => true, (http) => authenticate(http, workspaces));
  await app.listen(0, '127.0.0.1');
  address = `${await app.getUrl()}/${V2.root}/${V2.requestsRoute}`;
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const post = (body: string): Promise<Response> =>
  fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json', authorization: `Basic ${Buffer.from(`${credential.key}:${credential.secret}`).toString('base64')}` } });

/** A create as text, so that its keys reach the gateway as they stand here. */
const create = (extensions: string, value = '"ann@example.com"'): string =>
  `{"regulation":"gdpr","subject_request_id":"${randomUUID()}","subject_request_type":"access","submitted_time":"2026-11-20T08:00:00Z","subject_identities":[{"identity_type":"controller_customer_id","identity_value":${value},"identity_format":"raw"}],"extensions":${extensions}}`;

it('admits a request whatever keys the extensions of others have, and reads its own beside them', async () => {
  const others = '{"constructor":{"name":"x"},"else.example":{"constructor":1,"toString":2,"deep":[{"constructor":{"a":1}}]}}';
  expect((await post(create(others, '"1"'))).status).toBe(201);
  const own = '{"constructor":1,"dsr.example.com":{"mpids":[7],"constructor":"x","toString":[]}}';
  expect((await post(create(own, '"2"'))).status).toBe(201);
  expect((await post(create('{"else.example":{"__proto__":{}}}'))).status).toBe(400);
});

it('refuses an identity that is no sound text, because different ones would name the same person', async () => {
  const answers = await Promise.all(['"a\\ud800"', '"a\\udc00"', '"\\udc00\\ud800"'].map((value) => post(create('{}', value))));
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: [{ message: 'subject_identities[0].identity_value must be text of 1 to 4096 Unicode characters' }] });
  }
  expect((await post(create('{}', '"a\\ud83d\\ude00"'))).status).toBe(201);
});
