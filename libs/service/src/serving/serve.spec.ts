import 'reflect-metadata';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { Controller, Get, Module, Param, UseFilters, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { beforeBody, defaultLimits, DsrErrorFilter, type EdgeAdapter } from '@opendsr-service/edge';
import { type ConsumerState, PublishRefused, PublishTimeout } from '@opendsr-service/messaging';
import { createLogger } from '../logger/logger';
import { Poller } from '../workers/poller';
import { type RunningProcess, serve, type ServeOptions, type ServiceParts } from './serve';
import type { WaitFor } from '../process/wait-for';

@Controller()
class MixedController {
  @Get('v2/things')
  things() {
    return { things: true };
  }

  @Get('internal/things/:id')
  internal() {
    return { internal: true };
  }
}

const failures: Readonly<Record<string, Error>> = {
  storage: Object.assign(new Error('planted'), { name: 'MongoNetworkError' }),
  late: new PublishTimeout('planted'),
  keys: Object.assign(new Error('planted'), { name: 'KeyServiceAway' }),
  refused: new PublishRefused('away', 'planted'),
  refusedForGood: new PublishRefused('rejected', 'planted'),
  bug: new TypeError('planted'),
};

@Controller('v2/failures')
@UseFilters(DsrErrorFilter)
class FailingController {
  @Get(':why')
  fail(@Param('why') why: string): never {
    throw failures[why] as Error;
  }
}

@Module({ controllers: [MixedController, FailingController] })
class Root {}

const log = createLogger('test', 'error', { write: () => undefined });
const open: RunningProcess[] = [];
afterEach(() => Promise.all(open.splice(0).map((running) => running.stop())));

async function boot(parts: ServiceParts = {}, more: Partial<ServeOptions> = {}): Promise<RunningProcess> {
  const running = await serve({
    module: Root,
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    limits: defaultLimits,
    log,
    parts: () => [parts],
    ...more,
  });
  open.push(running);
  return running;
}

/** Sends a raw request and resolves with all that comes back; raw, because clients would tidy the paths. */
async function ask(port: number | undefined, path: string, method = 'GET'): Promise<{ status: number; body: unknown }> {
  const socket = createConnection(port ?? 0, '127.0.0.1');
  socket.end(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  return { status: Number(answer.slice(9, 12)), body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) };
}

describe('a call that fails', () => {
  const answerTo = async (why: string, more: Partial<ServeOptions> = {}) => {
    const lines: string[] = [];
    const { port } = await boot(
      {},
      { log: createLogger('test', 'warn', { write: (line) => void lines.push(line) }), ...more },
    );
    const answer = await fetch(`http://127.0.0.1:${String(port)}/v2/failures/${why}`);
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.json(),
      lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  };

  it.each([
    ['storage', 'MongoNetworkError'],
    ['late', 'PublishTimeout'],
    ['keys', 'KeyServiceAway'],
    ['refused', 'PublishRefused'],
  ])(
    'because a store, the log or the key service is away is 503 with a time to come again, and one warning without a stack: %s',
    async (why, name) => {
      const { status, retryAfter, body, lines } = await answerTo(why);
      expect([status, retryAfter, body]).toEqual([
        503,
        '1',
        expect.objectContaining({
          code: 503,
          errors: [expect.objectContaining({ domain: 'Service', reason: 'UnavailableException' })],
        }),
      ]);
      expect(lines).toEqual([
        expect.objectContaining({ level: 'warn', route: '/v2/failures/:why', status: 503, error: { name } }),
      ]);
    },
  );

  it('because the log refuses a record for good is 503 as well, and an error in the log, not an outage', async () => {
    const { status, retryAfter, lines } = await answerTo('refusedForGood');
    expect([status, retryAfter]).toEqual([503, '1']);
    expect(lines).toEqual([expect.objectContaining({ level: 'error', msg: 'A request failed', status: 503 })]);
  });

  it('because a store is away before its body is read is the same', async () => {
    const beforeAnything = (app: INestApplication): readonly ServiceParts[] => {
      beforeBody(
        app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter,
        (path) => path.startsWith('/v2/failures'),
        () => {
          throw failures.storage ?? new Error('no such failure');
        },
      );
      return [];
    };
    expect(await answerTo('bug', { parts: beforeAnything })).toMatchObject({
      status: 503,
      retryAfter: '1',
      lines: [{ level: 'warn' }],
    });
  });

  it('for any other reason is 500, and an error with its place', async () => {
    const { status, retryAfter, lines } = await answerTo('bug');
    expect([status, retryAfter, lines]).toEqual([
      500,
      null,
      [
        expect.objectContaining({
          level: 'error',
          error: expect.objectContaining({ name: 'TypeError', stack: expect.any(String) as string }) as unknown,
        }),
      ],
    ]);
  });
});

describe('the two listeners', () => {
  it('answer admin routes on the admin listener alone, however the path is spelled', async () => {
    const { port, adminPort } = await boot();
    for (const path of [
      '/internal/things/1',
      '/internal/things/1/',
      '/%69nternal/things/1',
      'http://a/internal/things/1',
      '/livez',
      '/readyz/',
      '/livez?x=1',
    ]) {
      expect([path, (await ask(adminPort, path)).status]).toEqual([path, 200]);
      expect([path, await ask(port, path)]).toEqual([
        path,
        expect.objectContaining({ status: 404, body: expect.objectContaining({ code: 404 }) as unknown }),
      ]);
    }
  });

  it('answer all other routes on the public listener alone', async () => {
    const { port, adminPort } = await boot();
    expect((await ask(port, '/v2/things')).status).toBe(200);
    expect(await ask(adminPort, '/v2/things')).toMatchObject({ status: 404, body: { code: 404 } });
  });

  it('do not reveal on one listener what the other serves', async () => {
    const { port, adminPort } = await boot();
    expect((await ask(port, '/internal/things/1', 'PUT')).status).toBe(404);
    expect((await ask(adminPort, '/v2/things', 'PUT')).status).toBe(404);
    expect((await ask(adminPort, '/internal/things/1', 'PUT')).status).toBe(405);
  });

  it('are one where an app has no public HTTP', async () => {
    const { port, adminPort } = await boot({}, { port: undefined });
    expect(port).toBeUndefined();
    expect(await ask(adminPort, '/livez')).toEqual({ status: 200, body: { status: 'ok' } });
  });
});

const byKind = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([kind, value]) => ({ labels: { kind }, value }));

it('serves its present counters at each scrape, on the admin listener alone', async () => {
  let taken = 1;
  const { port, adminPort } = await boot({
    metrics: [
      {
        name: 'dsr_things_total',
        help: 'Things by kind.',
        labels: ['kind'],
        read: () => byKind({ taken, dropped: 0 }),
      },
    ],
  });
  const scrape = async () => (await fetch(`http://127.0.0.1:${String(adminPort)}/metrics`)).text();
  expect(await scrape()).toContain(
    '# TYPE dsr_things_total counter\ndsr_things_total{kind="taken"} 1\ndsr_things_total{kind="dropped"} 0',
  );
  taken = 3;
  expect(await scrape()).toContain('dsr_things_total{kind="taken"} 3');
  expect((await ask(port, '/metrics')).status).toBe(404);
});

it('serves gauges that rise and fall', async () => {
  let waiting = 5;
  const { adminPort } = await boot({
    metrics: [
      {
        kind: 'gauge',
        name: 'dsr_things_waiting',
        help: 'Things that wait.',
        labels: ['kind'],
        read: () => byKind({ late: waiting }),
      },
    ],
  });
  const scrape = async () => (await fetch(`http://127.0.0.1:${String(adminPort)}/metrics`)).text();
  expect(await scrape()).toContain('# TYPE dsr_things_waiting gauge\ndsr_things_waiting{kind="late"} 5');
  waiting = 2;
  expect(await scrape()).toContain('dsr_things_waiting{kind="late"} 2');
});

it('adds up what several services of the process count under one name', async () => {
  const metric = (counts: Record<string, number>) => ({
    name: 'dsr_things_total',
    help: 'Things by kind.',
    labels: ['kind'],
    read: () => byKind(counts),
  });
  const { adminPort } = await boot({ metrics: [metric({ taken: 1 }), metric({ taken: 2, dropped: 4 })] });
  expect(await (await fetch(`http://127.0.0.1:${String(adminPort)}/metrics`)).text()).toContain(
    'dsr_things_total{kind="taken"} 3\ndsr_things_total{kind="dropped"} 4',
  );
});

it('is ready while every essential check passes; one that says no, or fails, is named', async () => {
  let fits = true;
  const { adminPort } = await boot({
    checks: [
      { name: 'yes', essential: false, ok: () => true },
      {
        name: 'store',
        essential: true,
        ok: () => (fits ? Promise.resolve(true) : Promise.reject(new Error('planted'))),
      },
    ],
  });
  expect(await ask(adminPort, '/readyz')).toEqual({
    status: 200,
    body: { status: 'ok', checks: { yes: true, store: true } },
  });
  fits = false;
  expect(await ask(adminPort, '/readyz')).toEqual({
    status: 503,
    body: { status: 'unavailable', checks: { yes: true, store: false } },
  });
  expect((await ask(adminPort, '/livez')).status).toBe(200);
});

it('is degraded, and serves, while a non-essential check fails or is slower than a probe', async () => {
  let answer: boolean | Promise<boolean> = false;
  const { adminPort } = await boot({ checks: [{ name: 'store', essential: false, ok: () => answer }] });
  const probe = async () => {
    const reply = await fetch(`http://127.0.0.1:${String(adminPort)}/readyz`);
    return [reply.status, await reply.json()];
  };
  for (answer of [false, new Promise<boolean>(() => undefined)])
    expect(await probe()).toEqual([200, { status: 'degraded', checks: { store: false } }]);
  answer = true;
  expect(await probe()).toEqual([200, { status: 'ok', checks: { store: true } }]);
});

it('is not ready before every group has let it in, and degraded when it hears no more of one', async () => {
  const member = (state: ConsumerState) => ({ ...diary().consumer, state });
  const consumers = [member('consuming'), member('joining')];
  const { adminPort } = await boot({ consumers });
  expect(await ask(adminPort, '/readyz')).toEqual({
    status: 503,
    body: { status: 'unavailable', checks: { joined: false, consuming: false } },
  });
  if (consumers[1]) consumers[1].state = 'consuming';
  expect(await ask(adminPort, '/readyz')).toEqual({
    status: 200,
    body: { status: 'ok', checks: { joined: true, consuming: true } },
  });
  if (consumers[0]) consumers[0].state = 'away';
  expect(await ask(adminPort, '/readyz')).toEqual({
    status: 200,
    body: { status: 'degraded', checks: { joined: true, consuming: false } },
  });
});

it('repeats prepare by the given wait', async () => {
  const tried: string[] = [];
  const waitFor: WaitFor = async (what, attempt) => {
    await attempt().catch((error: Error) => tried.push(`${what}: ${error.message}`));
    return attempt();
  };
  await boot(
    {
      prepare: [
        { name: 'indexes', run: () => (tried.length === 0 ? Promise.reject(new Error('away')) : Promise.resolve()) },
      ],
    },
    { waitFor },
  );
  expect(tried).toEqual(['indexes: away']);
});

/** Parts that write down what happens to them, in order. */
function diary(broken?: string) {
  const entries: string[] = [];
  const note = (entry: string) => () => {
    entries.push(entry);
    return entry === broken ? Promise.reject(new Error('planted')) : Promise.resolve();
  };
  const consumer = {
    listen: (ready: (error?: unknown) => void) =>
      note('consume')().then(() => {
        ready();
      }, ready),
    close: note('consumers close'),
    group: 'diary',
    state: 'consuming' as const,
    lag: () => Promise.resolve([]),
    on: () => undefined,
    unwrap: () => undefined,
    addHandler: () => undefined,
  };
  const poller = new Poller({ name: 'p', intervalMs: 5, run: () => Promise.resolve(0), log });
  const stopped = poller.stop.bind(poller);
  const parts: ServiceParts = {
    prepare: [
      { name: 'indexes', run: note('indexes') },
      { name: 'topics', run: note('topics') },
    ],
    consumers: [consumer],
    pollers: [Object.assign(poller, { stop: () => stopped().then(note('workers stop')) })],
    closing: [
      { name: 'publisher', run: note('publisher flush') },
      { name: 'stores', run: note('stores close') },
    ],
  };
  return { entries, parts, consumer };
}
const down = ['consumers close', 'workers stop', 'publisher flush', 'stores close'];

it('prepares, then consumes, then listens; and stops in the order that loses nothing, once', async () => {
  const { entries, parts } = diary();
  const running = await boot(parts);
  expect(entries).toEqual(['indexes', 'topics', 'consume']);
  expect(await Promise.all([running.stop(), running.stop()])).toEqual([true, true]);
  expect(entries.slice(3)).toEqual(down);
});

it('continues to stop when a step fails, and reports it', async () => {
  const { entries, parts } = diary('publisher flush');
  const running = await boot(parts);
  expect(await running.stop()).toBe(false);
  expect(entries.slice(3)).toEqual(down);
});

it.each(['indexes', 'consume'])(
  'stops what it started when the boot fails at %s, and does not listen',
  async (broken) => {
    const { entries, parts } = diary(broken);
    await expect(boot(parts)).rejects.toThrow('planted');
    expect(entries.slice(-3)).toEqual(down.slice(-3));
  },
);

it('waits for what it began to stop for some seconds only when the boot fails', async () => {
  let stands = (): void => undefined;
  const standing = new Promise<void>((resolve) => (stands = resolve));
  const frozen = {
    name: 'store',
    run: () => {
      stands();
      return new Promise<void>(() => undefined);
    },
  };
  const failing = {
    name: 'indexes',
    run: () => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
      return Promise.reject(new Error('planted'));
    },
  };
  try {
    let why: unknown;
    const booting = boot({ prepare: [failing], closing: [frozen] }).catch((error: unknown) => (why = error));
    await standing;
    await jest.advanceTimersByTimeAsync(4_999);
    expect(why).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    await booting;
    expect(why).toEqual(new Error('planted'));
  } finally {
    jest.useRealTimers();
  }
});

it('names the port that could not be bound, and stops what it started', async () => {
  const first = await boot();
  const { entries, parts } = diary();
  await expect(boot(parts, { port: first.port })).rejects.toThrow(`port ${first.port} on 127.0.0.1 is taken`);
  expect(entries.slice(3)).toEqual(down);
});

it('closes connections that are kept alive, idle ones at once and busy ones after their answer', async () => {
  const running = await boot();
  const socket = createConnection(running.port ?? 0, '127.0.0.1');
  socket.write('GET /v2/things HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  const closed = once(socket, 'close');
  expect(await running.stop()).toBe(true);
  await closed;
});
