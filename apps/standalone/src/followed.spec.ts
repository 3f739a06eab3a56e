import { randomUUID } from 'node:crypto';
import { CONSUMER_GROUPS } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { World } from './testing/world';

const SERVICES = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion'];
const PLANTED = `planted-${randomUUID()}`;
const email = `${PLANTED}@example.com`;
const QUICK = {
  ERASURE_WAIT_MS: '400ms',
  ERASURE_SECOND_PASS_MS: '200ms',
  CALLBACK_TICK_MS: '200ms',
  METRICS_INTERVAL_MS: '100ms',
  CALLBACK_RESOLVE_AT_CREATE_MS: '0',
};

type Line = Readonly<Record<string, string | number | undefined>>;

let world: World;
let call: Awaited<ReturnType<World['gateway']>>;
const followed = { access: randomUUID(), erasure: randomUUID() };

async function fulfil(type: keyof typeof followed): Promise<void> {
  const srid = followed[type];
  const body = {
    regulation: 'gdpr',
    subject_request_id: srid,
    subject_request_type: type,
    submitted_time: new Date().toISOString(),
    subject_identities: [{ identity_type: 'email', identity_value: email, identity_format: 'raw' }],
    status_callback_urls: [`https://controller.example/${PLANTED}`],
  };
  expect((await call('POST', '/v2/requests', body)).status).toBe(201);
  await until(
    async () =>
      ((await (await call('GET', `/v2/requests/${srid}`)).json()) as { request_status: string }).request_status ===
      'completed',
  );
  await until(
    () =>
      linesOf(srid).filter(
        ({ msg, requestStatus }) => msg === 'A callback was delivered' && requestStatus === 'completed',
      ).length === 1,
  );
}

const linesOf = (srid: string): Line[] =>
  world.lines.map((line) => JSON.parse(line) as Line).filter((line) => line.srid === srid);
const messagesOf = (srid: string, app: string): string[] =>
  linesOf(srid)
    .filter((line) => line.app === app)
    .map(({ msg, eventType }) => String(eventType ?? msg));

beforeAll(async () => {
  world = new World(QUICK);
  call = await world.gateway();
  const ingest = await world.fulfilment();
  await world.callbacks();
  expect((await ingest('/v1/identify', { user_identities: { email }, environment: 'production' })).status).toBe(200);
  await fulfil('access');
  await fulfil('erasure');
});
afterAll(() => world.close());

it('lets an access be followed by its id through the logs of all five services', () => {
  const srid = followed.access;
  expect(messagesOf(srid, 'gateway')).toEqual([
    'A request was admitted',
    'A request was started',
    'A request was completed',
  ]);
  expect(messagesOf(srid, 'request')).toEqual([
    'RequestReceived',
    'RequestStarted',
    'ParticipantReported',
    'RequestFulfilled',
    'RequestCompleted',
  ]);
  expect(messagesOf(srid, 'ingestion')).toEqual(['An export was completed']);
  expect(messagesOf(srid, 'results')).toEqual([
    'An archive is being built',
    'An archive was built',
    'An archive was reported',
  ]);
  const callbacks = messagesOf(srid, 'callback-dispatcher');
  for (const message of ['A callback was queued', 'A callback was delivered'])
    expect(callbacks.filter((one) => one === message)).toHaveLength(3);
});

it('lets an erasure be followed in the same way', () => {
  const srid = followed.erasure;
  expect(messagesOf(srid, 'gateway')).toEqual([
    'A request was admitted',
    'A request was started',
    'A request was completed',
  ]);
  expect(messagesOf(srid, 'request')).toEqual([
    'RequestReceived',
    'RequestStarted',
    'ParticipantReported',
    'ParticipantReported',
    'RequestFulfilled',
    'RequestCompleted',
  ]);
  expect(messagesOf(srid, 'ingestion')).toEqual(['An erasure was started', 'An erasure was reported']);
  expect(messagesOf(srid, 'results')).toEqual([
    'Archives are being erased',
    'Archives are being erased',
    'An erasure of archives was reported',
  ]);
  expect(messagesOf(srid, 'callback-dispatcher')).toContain('A callback was delivered');
});

it('names no identity and no URL in a log or a metric, and no request in a metric', async () => {
  const metrics = (await Promise.all(SERVICES.map((service) => world.metrics(service)))).join('\n');
  expect(world.lines.join('\n')).not.toContain(PLANTED);
  expect(
    [PLANTED, 'controller.example', followed.access, followed.erasure].filter((secret) => metrics.includes(secret)),
  ).toEqual([]);
});

it('measures in each service what is asked of its stores: outboxes, overdue work, open requests', async () => {
  const metrics = async (service: string) =>
    (await world.metrics(service)).split('\n').filter((line) => !line.startsWith('#'));
  const names = async (service: string) => new Set((await metrics(service)).map((line) => line.replace(/ [^ ]*$/, '')));
  await until(async () => (await names('gateway')).has('opendsr_requests{type="access",status="pending"}'));
  const [gateway, request, dispatcher, results, ingestion] = (await Promise.all(SERVICES.map(names))) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const expected: readonly (readonly [Set<string>, readonly string[]])[] = [
    [
      gateway,
      [
        'opendsr_outbox_oldest_age_seconds{outbox="commands"}',
        'opendsr_overdue_seconds{work="start"}',
        'opendsr_overdue_seconds{work="keys"}',
        'opendsr_requests_past_expected{type="erasure"}',
      ],
    ],
    [request, ['opendsr_outbox_oldest_age_seconds{outbox="request-events"}']],
    [
      dispatcher,
      [
        'opendsr_outbox_oldest_age_seconds{outbox="delivery-events"}',
        'opendsr_overdue_seconds{work="callbacks"}',
        'opendsr_callbacks_undelivered',
        'opendsr_callback_oldest_undelivered_seconds',
      ],
    ],
    [
      results,
      ['archives', 'archive-erasures', 'archive-sweep'].map((work) => `opendsr_overdue_seconds{work="${work}"}`),
    ],
    [
      ingestion,
      [
        'opendsr_overdue_seconds{work="erasures"}',
        'opendsr_parked_oldest_age_seconds{group="ingestion-data",kind="blocking"}',
        'opendsr_records_skipped_total{group="ingestion-data",topic="ingest.events.v1"}',
      ],
    ],
  ];
  for (const [there, wanted] of expected) expect([...there]).toEqual(expect.arrayContaining([...wanted]));
  expect(await metrics('gateway')).toContain(
    'opendsr_requests_total{type="erasure",status="completed",version="v2"} 1',
  );
});

it.each(SERVICES)('measures what is parked in every topic that a group of %s reads', async (service) => {
  const topicsIn = async (metric: string) =>
    [...(await world.metrics(service)).matchAll(new RegExp(`^${metric}[{](group="[^"]+",topic="[^"]+")`, 'gm'))].map(
      ([, labels]) => labels,
    );
  await until(async () => (await topicsIn('opendsr_consumer_lag_records')).length > 0);
  expect(new Set(await topicsIn('opendsr_parked_records'))).toEqual(
    new Set(await topicsIn('opendsr_consumer_lag_records')),
  );
});

it('reads in the groups, and the topics, that tools ask Kafka for', async () => {
  const metrics = (await Promise.all(SERVICES.map((service) => world.metrics(service)))).join('\n');
  const read = [...metrics.matchAll(/^opendsr_records_skipped_total[{]group="([^"]+)",topic="([^"]+)"/gm)].map(
    ([, group, topic]) => `${group}: ${topic}`,
  );
  const declared = Object.entries(CONSUMER_GROUPS).flatMap(([group, topics]) =>
    topics.map(({ name }) => `${group}: ${name}`),
  );
  expect(read.toSorted()).toEqual(declared.toSorted());
});
