import 'reflect-metadata';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Controller, Get, Ip, Module, Post, Res } from '@nestjs/common';
import { defaultLimits, sendJson, sendStream } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { until } from '@opendsr-service/messaging/testing';
import { representative } from '@opendsr-service/storage/testing';
import { itInFull } from '../testing/run-child';
import { createLogger } from '../logger/logger';
import { drain, open as openServer } from '../http/listener';
import { type RunningProcess, serve, type ServeOptions } from './serve';

let begun = 0;
/** More than the buffers of two sockets hold. */
const LARGE = Buffer.alloc(30_000_000, 'x');

/** Begins, and never ends. */
function endless(): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push('x');
  return stream;
}

@Controller()
class VersionsController {
  @Get('v2/things/:id')
  async second() {
    begun++;
    await sleep(5);
    return { version: 2, padding: 'x'.repeat(20_000) };
  }

  @Get('v2/large')
  large(@Res() reply: FastifyReply) {
    sendJson(reply, 200, LARGE);
  }

  @Get('v2/endless')
  endless(@Res() reply: FastifyReply) {
    return sendStream(reply, endless()).catch(() => undefined);
  }

  @Get('internal/v1/endless')
  internalEndless(@Res() reply: FastifyReply) {
    return this.endless(reply);
  }

  @Get('v1/things/:id')
  async first() {
    return this.second();
  }

  @Post('v1/things/:id')
  take() {
    return {};
  }

  @Get('internal/v1/things/:id')
  internal() {
    return {};
  }

  @Get('v2/from')
  from(@Ip() ip: string) {
    return { ip };
  }
}

@Module({ controllers: [VersionsController] })
class Root {}

const log = createLogger('test', 'error', { write: () => undefined });
const open: RunningProcess[] = [];
afterEach(() => Promise.all(open.splice(0).map((running) => running.stop())));

const first = {
  port: 0,
  owns: (pattern: string) => pattern.startsWith('/v1/') || pattern.startsWith('/internal/v1/'),
  shares: (pattern: string) => pattern === '/v2/from',
};
async function boot(options: Partial<ServeOptions> = {}) {
  const running = await serve({
    module: Root,
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    furtherListeners: [first],
    limits: { ...defaultLimits, bodyBytes: 1_000 },
    log,
    ...options,
  });
  open.push(running);
  return {
    ...running,
    ports: { public: running.port ?? 0, admin: running.adminPort, first: running.furtherPorts[0] ?? 0 },
  };
}

const LONGEST_MS = 60_000;

/** A caller that has read the beginning of an answer, and pauses. */
async function pausedReader(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`));
  await once(socket, 'readable');
  return socket;
}

const fetchOn = (port: number, path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);

/** How all that comes on a connection begins, once it is closed. */
async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString().slice(0, 12);
}

describe('a further listener', () => {
  it('serves only its own routes, which are then unknown on the public listener', async () => {
    const { ports } = await boot();
    const statuses = async (path: string, method = 'GET') => {
      const ask = async (port: number) => (await fetchOn(port, path, { method })).status;
      return [await ask(ports.public), await ask(ports.first), await ask(ports.admin)];
    };
    expect(await statuses('/v2/things/1')).toEqual([200, 404, 404]);
    expect(await statuses('/v1/things/1')).toEqual([404, 200, 404]);
    expect(await statuses('/v2/from')).toEqual([200, 200, 404]);
    expect(await statuses('/%761/things/1')).toEqual([404, 200, 404]);
    expect(await statuses('/internal/v1/things/1')).toEqual([404, 404, 200]);
    expect(await statuses('/livez')).toEqual([404, 404, 200]);
    expect(await statuses('/v1/things/1', 'PUT')).toEqual([404, 405, 404]);
    expect(await statuses('/v2/things/1', 'PUT')).toEqual([405, 404, 404]);
  });

  it('shares its routes with the public one where there is none', async () => {
    const { ports, furtherPorts } = await boot({ furtherListeners: [] });
    expect(furtherPorts).toEqual([]);
    expect((await fetchOn(ports.public, '/v1/things/1')).status).toBe(200);
  });

  it('has the limits and the keep-alive of the others', async () => {
    const { ports } = await boot({
      limits: { ...defaultLimits, bodyBytes: 1_000, headers: 20, keepAliveTimeoutMs: 91_000 },
    });
    const body = JSON.stringify({ text: 'x'.repeat(1_000) });
    expect(
      (
        await fetchOn(ports.first, '/v1/things/1', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(413);
    for (const [port, path] of [
      [ports.public, '/v2/things/1'],
      [ports.first, '/v1/things/1'],
      [ports.admin, '/livez'],
    ] as const) {
      expect((await fetchOn(port, path)).headers.get('keep-alive')).toBe('timeout=91');
      expect(
        (
          await fetchOn(port, path, {
            headers: Array.from({ length: 20 }, (_, at): [string, string] => [`x-${at}`, 'a']),
          })
        ).status,
      ).toBe(431);
    }
  });

  itInFull('cuts slow bodies and slow headers as the others do', async () => {
    const { ports } = await boot({
      limits: { ...defaultLimits, headersTimeoutMs: 300, requestTimeoutMs: 400, timeoutCheckMs: 20 },
    });
    const slow = (port: number, text: string) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      return readAll(socket);
    };
    const body =
      'POST /v1/things/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
    const answers = await Promise.all(['GET / HTTP/1.1\r\n', body].map((text) => slow(ports.first, text)));
    expect(answers).toEqual(['HTTP/1.1 408', 'HTTP/1.1 408']);
  });
});

it.each(representative(['/v2/endless', '/v2/large']))(
  'closes a connection on which nothing of an answer moves: %s',
  async (path) => {
    const { ports } = await boot({ limits: { ...defaultLimits, answerTimeoutMs: 1_000 } });
    const reader = await pausedReader(ports.public, path);
    const openConnections = async () =>
      /^opendsr_http_connections (\d+)$/m.exec(await (await fetchOn(ports.admin, '/metrics')).text())?.[1];
    await until(async () => (await openConnections()) === '0');
    reader.destroy();
  },
);

it('trusts only a named proxy for the address of a caller', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const ipWith = async (trustedProxies: string[]) => {
    const { ports } = await boot({ trustedProxies });
    return ((await (await fetchOn(ports.public, '/v2/from', { headers })).json()) as { ip: string }).ip;
  };
  expect(await ipWith(['127.0.0.0/8'])).toBe('203.0.113.9');
  expect(await ipWith(['10.0.0.0/8'])).toBe('127.0.0.1');
});

/** Callers who keep their connections and ask again and again until nobody takes them any more. */
function callers(port: number, path: string, count: number) {
  const agent = new Agent({ keepAlive: true });
  const whole: (string | undefined)[] = [];
  const ask = () =>
    new Promise<boolean>((resolve) => {
      const failed = () => {
        resolve(false);
      };
      request({ port, path, agent, host: '127.0.0.1' }, (response) => {
        response
          .resume()
          .on('end', () => {
            if (response.complete) whole.push(response.headers.connection);
            resolve(response.complete);
          })
          .on('error', failed);
      })
        .on('error', failed)
        .end();
    });
  const untilRefused = async () => {
    while (await ask());
  };
  const done = Promise.all(Array.from({ length: count }, untilRefused)).then(() => {
    agent.destroy();
  });
  return { whole, done };
}

describe('a stop under load', () => {
  it.each(representative([0, 1_000]))(
    'answers in full every request that it took, on every listener, while it leaves for %d ms',
    async (stopDelayMs) => {
      const before = begun;
      const { ports, stop } = await boot({ stopDelayMs });
      const both = [callers(ports.public, '/v2/things/1', 8), callers(ports.first, '/v1/things/1', 8)];
      while (begun < before + 100) await sleep(1);
      const seen = begun;
      expect(await stop()).toBe(true);
      await Promise.all(both.map(({ done }) => done));
      const whole = both.flatMap((side) => side.whole);
      expect(whole).toHaveLength(begun - before);
      if (stopDelayMs > 0) expect(begun).toBeGreaterThan(seen + 16);
      expect(whole.at(-1)).toBe('close');
    },
  );

  itInFull(
    'is not delayed by silence, which it closes, or by half a request, which gets 408, and serves one that arrives in time',
    async () => {
      const { ports, stop } = await boot({
        limits: { ...defaultLimits, headersTimeoutMs: 3_000, requestTimeoutMs: 4_000, timeoutCheckMs: 20 },
      });
      const post =
        'POST /v1/things/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{';
      const halves = ['', 'GET / HTTP/1.1\r\n', post, post].map((text) => {
        const socket = connect(ports.first, '127.0.0.1', () => socket.write(text));
        return { socket, answer: readAll(socket) };
      });
      // By the time that this is answered, what was sent before it has been read.
      for (let times = 0; times < 3; times++) await fetchOn(ports.first, '/v1/things/1');
      const stopped = stop();
      halves.at(-1)?.socket.write('}');
      expect(await Promise.all(halves.map(({ answer }) => answer))).toEqual([
        '',
        'HTTP/1.1 408',
        'HTTP/1.1 408',
        'HTTP/1.1 201',
      ]);
      expect(await stopped).toBe(true);
    },
  );

  it('waits for whole requests for seconds only, regardless of the usual timeouts', async () => {
    const server = createServer({ headersTimeout: 60_000, requestTimeout: 300_000 });
    await openServer(server, '127.0.0.1', 0);
    await drain(server, LONGEST_MS);
    expect([server.headersTimeout, server.requestTimeout]).toEqual([5_000, 5_000]);
  });

  it('answers all connections that wait, though it accepts one in a turn of its event loop', async () => {
    const count = 40;
    const server = createServer((_request, response) => response.end('whole'));
    const port = await openServer(server, '127.0.0.1', 0);
    const connected = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const callers = new Worker(
      `const { workerData: { port, count, connected }, parentPort } = require('node:worker_threads');
      const call = () => new Promise((resolve) => {
        let text = '';
        const socket = require('node:net').connect(port, '127.0.0.1', () => {
          socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n');
          Atomics.add(connected, 0, 1);
          Atomics.notify(connected, 0);
        });
        socket.on('data', (data) => (text += data)).on('error', ({ code }) => (text += code)).on('close', () => resolve(text));
      });
      Promise.all(Array.from({ length: count }, call)).then((all) => parentPort.postMessage(all));`,
      { eval: true, workerData: { port, count, connected } },
    );
    // The event loop stands still until all of them wait.
    for (let now = 0; now < count; now = Atomics.load(connected, 0)) Atomics.wait(connected, 0, now);
    const [[answers]] = await Promise.all([once(callers, 'message') as Promise<[string[]]>, drain(server, LONGEST_MS)]);
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200') && answer.endsWith('whole'))).toHaveLength(
      count,
    );
    await callers.terminate();
  });

  it('sends in full an answer that was written before it began, to a caller that reads late', async () => {
    const server = createServer(({ url }, response) => response.end(url === '/large' ? LARGE : ''));
    const port = await openServer(server, '127.0.0.1', 0);
    const [late, idle] = [await pausedReader(port, '/large'), await pausedReader(port, '/')];
    const drained = drain(server, LONGEST_MS);
    // Idle connections are closed together.
    await once(idle.resume(), 'close');
    let bytes = 0;
    late.on('data', (piece: Buffer) => void (bytes += piece.length));
    await once(late, 'close');
    expect(bytes).toBeGreaterThan(LARGE.length);
    expect(await drained).toBe(0);
  });

  itInFull('closes what is still being answered after a part of its time, and then does its other steps', async () => {
    const lines: string[] = [];
    const done: string[] = [];
    const { ports, stop } = await boot({
      stopTimeoutMs: 500,
      log: createLogger('test', 'warn', { write: (line) => void lines.push(line) }),
      parts: () => [{ closing: [{ name: 'store', run: () => void done.push('store') }] }],
    });
    const readers = [await fetchOn(ports.public, '/v2/endless'), await fetchOn(ports.admin, '/internal/v1/endless')];
    expect(await stop()).toBe(true);
    expect(done).toEqual(['store']);
    await Promise.all(readers.map((reader) => expect(reader.text()).rejects.toThrow()));
    expect(lines.join('')).toContain('Connections were closed before their answers were read');
  });

  it('closes the connection of an answer that was in progress when it began', async () => {
    const { ports, stop } = await boot();
    const before = begun;
    const answer = fetchOn(ports.first, '/v1/things/1');
    while (begun === before) await sleep(1);
    const stopped = stop();
    expect((await answer).headers.get('connection')).toBe('close');
    expect(await stopped).toBe(true);
  });
});
