import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultLimits } from '@opendsr-service/edge';
import { createLogger, ManualClock, serve, type RunningProcess } from '@opendsr-service/service';
import type { OwnDocuments } from '../own-answers';
import type { ParkedRecords } from '../parked/parked-records.store';
import { answersOf } from './answers.client';
import { answering } from './answering.module';

const TOKEN = 'a-token-of-thirty-two-characters-at-least';
const WAIT_MS = 5_000;
const log = createLogger('test', 'error', { write: () => undefined });
const host = {
  ...{ name: 'request', log, fatal: () => undefined },
  settings: [
    { name: 'PORT', value: '8080', isHidden: false },
    { name: 'MONGODB_URI', isHidden: true },
  ],
};
const asked: object[] = [];
const documents: OwnDocuments = {
  parked: { service: 'request' } as ParkedRecords,
  destinations: {
    destinations: (question) => {
      asked.push(question);
      return Promise.resolve({ destinations: [], next_cursor: null });
    },
    destinationCounts: () => Promise.resolve({ failing: 2, paused: 1 }),
    destination: () => Promise.resolve(null),
  },
};

let running: RunningProcess;
beforeAll(async () => {
  const { own, modules } = answering(host, [documents], {
    clock: new ManualClock(new Date('2026-11-21T12:00:00Z')),
    tokens: () => Promise.resolve([TOKEN]),
  });
  running = await serve({
    module: modules[0] as NonNullable<(typeof modules)[0]>,
    ...{ own, host: '127.0.0.1', port: 0, adminPort: 0, limits: defaultLimits, log, service: 'request' },
    parts: () => [
      {
        metrics: [
          sampled('opendsr_consumer_state', [
            [{ group: 'request', state: 'consuming' }, 1],
            [{ group: 'request', state: 'away' }, 0],
          ]),
          sampled('opendsr_consumer_lag_records', [[{ group: 'request', topic: 'dsr.commands.v1' }, 7]]),
          sampled('opendsr_outbox_oldest_age_seconds', [[{ outbox: 'request-events' }, 1.5]]),
          sampled('opendsr_parked_records', [
            [{ group: 'request', topic: 'a.v1', kind: 'blocking' }, 2],
            [{ group: 'request', topic: 'b.v1', kind: 'blocking' }, 1],
            [{ group: 'request', topic: 'a.v1', kind: 'aside' }, 4],
          ]),
          sampled('opendsr_signing_certificate_expiry_timestamp_seconds', [
            [{ version: 'v2' }, Date.parse('2026-12-01T11:00:00Z') / 1_000],
          ]),
        ],
      },
    ],
  });
});
afterAll(() => running.stop());

const sampled = (name: string, samples: readonly (readonly [Record<string, string>, number])[]) => ({
  ...{ kind: 'gauge' as const, name, help: 'x', labels: Object.keys(samples[0]?.[0] ?? {}) },
  read: () => samples.map(([labels, value]) => ({ labels, value })),
});
const adminUrl = () => `http://127.0.0.1:${running.adminPort}`;
const clientOf = (url: string, token = TOKEN, waitMs = WAIT_MS) =>
  answersOf({ adminUrl: url, tokens: () => Promise.resolve([token]), waitMs });

it('show what the process knows of itself, without its secrets', async () => {
  const answer = await clientOf(adminUrl()).process();
  expect(answer).toMatchObject({
    ...{ service: 'request', state: 'ok', checks: {}, parked: { blocking: 3, aside: 4 } },
    consumer_groups: [{ group: 'request', state: 'consuming', topics: [{ topic: 'dsr.commands.v1', lag: 7 }] }],
    outboxes: [{ outbox: 'request-events', oldest_age_seconds: 1.5 }],
    certificates: [{ version: 'v2', ends_time: '2026-12-01T11:00:00.000Z', days_left: 9 }],
    settings: [
      { name: 'PORT', value: '8080', hidden: false },
      { name: 'MONGODB_URI', value: null, hidden: true },
    ],
  });
  expect(answer.version).toMatch(/^\d+\.\d+\.\d+/);
});

it('take questions with their parameters, and answer null for what is unknown', async () => {
  const client = clientOf(adminUrl());
  await client.destinations({ workspaces: ['acme'], limit: 5, state: undefined });
  expect(asked.at(-1)).toEqual({ workspaces: ['acme'], limit: 5 });
  expect(await client.destination({ ws: 'acme', host: 'h' })).toBeNull();
});

it('are for holders of the token of the services, on the admin port alone', async () => {
  const ask = (port: number | undefined, headers: Record<string, string>, body = '{}', question = 'process') =>
    fetch(`http://127.0.0.1:${String(port)}/internal/operator/v1/${question}`, {
      ...{ method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } },
    });
  const token = { authorization: `Bearer ${TOKEN}` };
  expect((await ask(running.adminPort, {})).status).toBe(401);
  expect((await ask(running.adminPort, { authorization: 'Bearer another' })).status).toBe(401);
  expect((await ask(running.port, token)).status).toBe(404);
  expect((await ask(running.adminPort, token, '{}', 'constructor')).status).toBe(404);
  expect((await ask(running.adminPort, token, '{"id":{"$gt":""}}', 'parkedRecord')).status).toBe(400);
});

describe('a client', () => {
  let server: Server;
  let status: number | undefined;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      if (status !== undefined) response.writeHead(status).end('{}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  it.each([
    ['a service that is away', 503],
    ['one that refuses the token', 401],
    ['an older one that does not know the question', 404],
  ])('says that the answer of %s is missing', async (_what, answered) => {
    status = answered;
    await expect(clientOf(url()).process()).rejects.toMatchObject({ name: 'AnswerMissing' });
  });

  it('waits for no answer longer than it may', async () => {
    status = undefined;
    await expect(clientOf(url(), TOKEN, 20).process()).rejects.toMatchObject({ name: 'AnswerMissing' });
    await expect(clientOf('http://127.0.0.1:1').process()).rejects.toMatchObject({ name: 'AnswerMissing' });
  });
});
