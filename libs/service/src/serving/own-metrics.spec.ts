import 'reflect-metadata';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { Controller, Get, type INestApplication, Module, Post } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { beforeBody, setCallerClass, defaultLimits, type EdgeAdapter } from '@opendsr-service/edge';
import type { ConsumerState, MeasuredPartition } from '@opendsr-service/messaging';
import { createLogger } from '../logger/logger';
import { Poller } from '../workers/poller';
import { type RunningProcess, serve, type ServeOptions, type ServiceParts } from './serve';

const SECRET = '7f3f1c7e-0d57-4b0e-9a53-planted';

@Controller()
class ThingsController {
  @Get('v2/things/:id')
  thing() {
    return {};
  }

  @Post('v2/things/:id')
  take() {
    return {};
  }

  @Get('internal/things/:id')
  internal() {
    return {};
  }
}

@Module({ controllers: [ThingsController] })
class Root {}

const log = createLogger('test', 'error', { write: () => undefined });
const open: RunningProcess[] = [];
afterEach(() => Promise.all(open.splice(0).map((running) => running.stop())));

/** Callers say themselves what class they are of. */
function knowCallers(app: INestApplication): readonly ServiceParts[] {
  beforeBody(
    app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter,
    (path) => path.startsWith('/v2/'),
    (http) => {
      const named = http.headers['x-class'];
      if (typeof named === 'string') setCallerClass(http, named);
    },
  );
  return [];
}

async function boot(options: Partial<ServeOptions> = {}) {
  const {
    port = 0,
    adminPort,
    ...running
  } = await serve({
    module: Root,
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    limits: { ...defaultLimits, bodyBytes: 1_000 },
    log,
    parts: knowCallers,
    metricsIntervalMs: 50,
    ...options,
  });
  open.push({ port, adminPort, ...running });
  const scrape = async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  /** The series of a metric, without its buckets. */
  const series = async (name: string) =>
    (await scrape()).split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  /** The same, once there are some that fit. */
  const awaited = async (name: string, fits: (lines: readonly string[]) => boolean) => {
    for (;;) {
      const lines = await series(name);
      if (fits(lines)) return lines;
    }
  };
  return { port, adminPort, scrape, series, awaited, at: `http://127.0.0.1:${port}` };
}

const COUNT = 'http_server_request_duration_seconds_count';
const line = (request: `${string} ${string}`, status: number, workspaceClass: string, count = 1) => {
  const [method, route] = request.split(' ');
  return `${COUNT}{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}",workspace_class="${workspaceClass}"} ${count}`;
};

async function raw(port: number, text: string): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  socket.end(text);
  socket.resume();
  await once(socket, 'close');
}

describe('the metric of requests', () => {
  it('counts each by method, route, status and class of its workspace, also what no controller answered', async () => {
    const { at, port, awaited } = await boot();
    await fetch(`${at}/v2/things/1`, { headers: { 'x-class': 'gold' } });
    await fetch(`${at}/v2/things/2`, { headers: { 'x-class': 'gold' } });
    await fetch(`${at}/v2/things/1`);
    await fetch(`${at}/v2/things/1`, { method: 'PUT' });
    await fetch(`${at}/v2/things/1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-class': 'gold' },
      body: JSON.stringify({ text: 'x'.repeat(1_000) }),
    });
    await raw(port, 'no HTTP\r\n\r\n');
    expect((await awaited(COUNT, (lines) => lines.length === 5)).sort()).toEqual(
      [
        line('GET /v2/things/:id', 200, 'gold', 2),
        line('GET /v2/things/:id', 200, 'none'),
        line('POST /v2/things/:id', 413, 'gold'),
        line('PUT _other', 405, 'none'),
        line('_OTHER _other', 400, 'none'),
      ].sort(),
    );
  });

  it('has internal routes, but not what asks the process how it is', async () => {
    const { adminPort, awaited, scrape } = await boot();
    for (const path of ['livez', 'readyz', 'metrics', 'internal/things/1'])
      await fetch(`http://127.0.0.1:${adminPort}/${path}`);
    expect(await awaited(COUNT, (lines) => lines.length > 0)).toEqual([line('GET /internal/things/:id', 200, 'none')]);
    expect(await scrape()).not.toMatch(/livez|readyz|"\/metrics"/);
  });

  it('has buckets from 5 ms to 10 s', async () => {
    const { at, awaited, scrape } = await boot();
    await fetch(`${at}/v2/things/1`);
    await awaited(COUNT, (lines) => lines.length > 0);
    expect(
      [...(await scrape()).matchAll(/^http_server_request_duration_seconds_bucket\{le="([^"]+)"/gm)].map(
        ([, le]) => le,
      ),
    ).toEqual([
      '0.005',
      '0.01',
      '0.025',
      '0.05',
      '0.075',
      '0.1',
      '0.25',
      '0.5',
      '0.75',
      '1',
      '2.5',
      '5',
      '7.5',
      '10',
      '+Inf',
    ]);
  });

  it('distinguishes ten classes, and counts all later ones as one', async () => {
    const { at, awaited } = await boot();
    for (let n = 0; n < 13; n++) await fetch(`${at}/v2/things/1`, { headers: { 'x-class': `class-${n % 12}` } });
    const lines = await awaited(
      COUNT,
      (found) =>
        found.length === 11 &&
        found.some((one) => one.endsWith('"other"} 2')) &&
        found.some((one) => one.endsWith('"class-0"} 2')),
    );
    expect(lines).toHaveLength(11);
  });

  it('holds nothing that a caller wrote: no path, no query, no host, no method, no header', async () => {
    const { at, port, adminPort, awaited, scrape } = await boot();
    for (const path of [
      `v2/things/${SECRET}`,
      SECRET,
      `v2/things/${SECRET}/${SECRET}`,
      `v2/things/1?a=${SECRET}`,
      `internal/things/${SECRET}`,
    ]) {
      for (const to of [at, `http://127.0.0.1:${adminPort}`])
        await fetch(`${to}/${path}`, { headers: { 'x-request-id': SECRET } });
    }
    await raw(port, `PROPFIND /${SECRET} HTTP/1.1\r\nHost: ${SECRET}.example.com\r\nConnection: close\r\n\r\n`);
    await raw(
      port,
      `GET http://${SECRET}.example.com/v2/things/${SECRET} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    await raw(port, `CONNECT ${SECRET}.example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n`);
    await raw(port, `${SECRET}\r\n\r\n`);
    const total = (lines: readonly string[]) => lines.reduce((sum, one) => sum + Number(one.split(' ').at(-1)), 0);
    const lines = await awaited(COUNT, (found) => total(found) === 14);
    expect(await scrape()).not.toContain('planted');
    expect(
      lines.filter(
        (one) =>
          !/^\w+\{http_request_method="(GET|_OTHER)",http_route="(_other|\/v2\/things\/:id|\/internal\/things\/:id)",http_response_status_code="\d{3}",workspace_class="none"\} \d+$/.test(
            one,
          ),
      ),
    ).toEqual([]);
  });
});

it('shows metrics of the process once, and none on a public port', async () => {
  const [first, second] = [await boot({ service: 'gateway' }), await boot()];
  for (const { port, series, scrape } of [first, second]) {
    expect((await series('nodejs_eventloop_lag_p99_seconds')).length).toBe(1);
    expect((await series('process_cpu_seconds_total')).length).toBe(1);
    expect((await scrape()).match(/^# TYPE nodejs_eventloop_lag_seconds gauge$/gm)).toHaveLength(1);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
  }
  expect(await first.series('opendsr_build_info')).toEqual([
    expect.stringMatching(/^opendsr_build_info\{service="gateway",version="\d+\.\d+\.\d+[^"]*"\} 1$/),
  ]);
});

/** A member of a group, without Nest's part. */
const member = (
  group: string,
  state: ConsumerState,
  lag: () => Promise<readonly Pick<MeasuredPartition, 'topic' | 'partition' | 'lag'>[]> = () => Promise.resolve([]),
) => ({
  ...{ group, state, lag },
  listen: (ready: () => void) => {
    ready();
  },
  ...{ close: () => undefined, on: () => undefined, unwrap: () => undefined, addHandler: () => undefined },
});

describe('a consumer', () => {
  it('is shown in its one state', async () => {
    const { series } = await boot({
      parts: () => [{ consumers: [member('view', 'consuming'), member('destinations', 'away')] }],
    });
    expect(await series('opendsr_consumer_state')).toEqual([
      'opendsr_consumer_state{group="view",state="joining"} 0',
      'opendsr_consumer_state{group="view",state="consuming"} 1',
      'opendsr_consumer_state{group="view",state="away"} 0',
      'opendsr_consumer_state{group="destinations",state="joining"} 0',
      'opendsr_consumer_state{group="destinations",state="consuming"} 0',
      'opendsr_consumer_state{group="destinations",state="away"} 1',
    ]);
  });

  it('is shown with the lag of its group by topic, and with none while the log is away; other groups stay as they are', async () => {
    let isAway = false;
    const partitions = [
      { topic: 't.one.v1', partition: 0, lag: 2 },
      { topic: 't.one.v1', partition: 1, lag: 3 },
      { topic: 't.two.v1', partition: 0, lag: 0 },
    ];
    const view = member('view', 'consuming', () =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(partitions),
    );
    const destinations = member('destinations', 'consuming', () =>
      Promise.resolve([{ topic: 't.one.v1', partition: 0, lag: 7 }]),
    );
    const { awaited } = await boot({ parts: () => [{ consumers: [view, destinations] }] });
    const ofView = [
      'opendsr_consumer_lag_records{group="view",topic="t.one.v1"} 5',
      'opendsr_consumer_lag_records{group="view",topic="t.two.v1"} 0',
    ];
    const ofDestinations = ['opendsr_consumer_lag_records{group="destinations",topic="t.one.v1"} 7'];
    expect((await awaited('opendsr_consumer_lag_records', (lines) => lines.length === 3)).sort()).toEqual(
      [...ofView, ...ofDestinations].sort(),
    );
    isAway = true;
    expect(await awaited('opendsr_consumer_lag_records', (lines) => lines.length === 1)).toEqual(ofDestinations);
    isAway = false;
    expect(await awaited('opendsr_consumer_lag_records', (lines) => lines.length === 3)).toHaveLength(3);
  });
});

it('a partition without a leader is counted, and is not in the lag of its topic', async () => {
  let isAway = false;
  const consumer = member('view', 'consuming', () =>
    isAway
      ? Promise.reject(new Error('away'))
      : Promise.resolve([
          { topic: 't.one.v1', partition: 0, lag: 2 },
          { topic: 't.one.v1', partition: 1, lag: undefined },
          { topic: 't.two.v1', partition: 0, lag: 3 },
          { topic: 't.three.v1', partition: 0, lag: undefined },
        ]),
  );
  const { awaited, series } = await boot({ parts: () => [{ consumers: [consumer] }] });
  expect(await awaited('opendsr_consumer_leaderless_partitions', (lines) => lines.length === 3)).toEqual([
    'opendsr_consumer_leaderless_partitions{group="view",topic="t.one.v1"} 1',
    'opendsr_consumer_leaderless_partitions{group="view",topic="t.two.v1"} 0',
    'opendsr_consumer_leaderless_partitions{group="view",topic="t.three.v1"} 1',
  ]);
  expect(await series('opendsr_consumer_lag_records')).toEqual([
    'opendsr_consumer_lag_records{group="view",topic="t.one.v1"} 2',
    'opendsr_consumer_lag_records{group="view",topic="t.two.v1"} 3',
  ]);
  isAway = true;
  expect(await awaited('opendsr_consumer_leaderless_partitions', (lines) => lines.length === 0)).toEqual([]);
});

it('counts the failures of each worker by its name', async () => {
  const failing = (name: string, times: number) => {
    let left = times;
    return new Poller({
      name,
      intervalMs: 1,
      log,
      run: () => (left-- > 0 ? Promise.reject(new Error('planted')) : Promise.resolve(0)),
    });
  };
  const { awaited } = await boot({
    parts: () => [{ pollers: [failing('start', 2), failing('relay', 0), failing('start', 1)] }],
  });
  const name = 'opendsr_worker_failures_total';
  expect(await awaited(name, (lines) => lines.some((one) => one.endsWith('3')))).toEqual([
    `${name}{worker="start"} 3`,
    `${name}{worker="relay"} 0`,
  ]);
});

it('sums equal series of two services of one process; metrics without a known value are absent', async () => {
  const metric = (name: string, values: Readonly<Record<string, number>>) => ({
    kind: 'gauge' as const,
    name,
    help: 'Things.',
    labels: ['kind'],
    read: () => Object.entries(values).map(([kind, value]) => ({ labels: { kind }, value })),
  });
  const single = (name: string, ...values: readonly number[]) => ({
    kind: 'gauge' as const,
    name,
    help: 'Things.',
    labels: [],
    read: () => values.map((value) => ({ labels: {}, value })),
  });
  const metrics = [
    metric('opendsr_test_a', { x: 1 }),
    metric('opendsr_test_a', { x: 2, y: 4 }),
    single('opendsr_test_b', 1),
    single('opendsr_test_b', 6),
    single('opendsr_test_c'),
    single('opendsr_test_d', 0),
  ];
  const { series } = await boot({ parts: () => [{ metrics }] });
  const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => series(`opendsr_test_${name}`)));
  expect(all).toEqual([
    ['opendsr_test_a{kind="x"} 3', 'opendsr_test_a{kind="y"} 4'],
    ['opendsr_test_b 7'],
    [],
    ['opendsr_test_d 0'],
  ]);
});

it.each([
  'person@example.com',
  'https://example.com/a',
  SECRET.replace('planted', '123456789012'),
  'a'.repeat(65),
  'dsrk_0123456789abcdef0123456789abcdef',
  '10.0.0.1',
  '10.0.0.1:9092',
  'kafka.example.com',
  '/v2/things/17',
])('shows no label that could be an id, a path or a host, but that there is something: %s', async (value) => {
  const metrics = [
    {
      name: 'opendsr_test_total',
      help: 'Things.',
      labels: ['kind'],
      read: () => [
        { labels: { kind: value }, value: 2 },
        { labels: { kind: 'key-destroyed' }, value: 1 },
      ],
    },
  ];
  const { series } = await boot({ parts: () => [{ metrics }] });
  expect(await series('opendsr_test_total')).toEqual([
    'opendsr_test_total{kind="_other"} 2',
    'opendsr_test_total{kind="key-destroyed"} 1',
  ]);
});
