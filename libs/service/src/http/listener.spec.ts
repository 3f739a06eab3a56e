import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as polled } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { until } from '@opendsr-service/messaging/testing';
import { drain, open } from './listener';

/** A client in a thread of its own: after a first request its connection is idle, until it has to send a second one. */
const CLIENT = `
const { parentPort, workerData } = require('node:worker_threads');
const { connect } = require('node:net');
const flags = new Int32Array(workerData.flags);
const socket = connect(workerData.port, '127.0.0.1');
const REQUEST = 'GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n';
let answer = '';
socket.on('connect', () => socket.write(REQUEST));
socket.once('data', () => {
  socket.on('data', (data) => { answer += data; });
  parentPort.postMessage('idle');
});
socket.on('error', (error) => { answer += error.code; });
socket.on('close', () => parentPort.postMessage({ answer }));
Atomics.waitAsync(flags, 0, 0).value.then(() => {
  socket.write(REQUEST, () => {
    Atomics.store(flags, 1, 1);
    Atomics.notify(flags, 1);
  });
});
`;
const LONGEST_MS = 60_000;
/** Connections that Node closes by itself neither after an answer nor, for 30 s, because a request is slow. */
const KEPT = { keepAliveTimeout: 0 };
const UNASKED_MS = 20_000;
/** Longer than the pause between two sweeps. */
const SWEEP_MS = 40;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n';

async function answeredCaller(port: number, request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  await once(socket, 'data');
  return socket;
}

describe('a listener that drains', () => {
  it('answers a request that arrived on an idle connection while the event loop was busy', async () => {
    const server = createServer((_request, response) => response.end('done'));
    const port = await open(server, '127.0.0.1', 0);
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const client = new Worker(CLIENT, { eval: true, workerData: { port, flags: flags.buffer } });
    await once(client, 'message');
    const answered = once(client, 'message');
    const drained = drain(server, LONGEST_MS);
    while (server.listening) await polled();
    // Until the sweep of idle connections is due the loop is busy, and the request arrives unread.
    Atomics.store(flags, 0, 1);
    Atomics.notify(flags, 0);
    Atomics.wait(flags, 1, 0, LONGEST_MS);
    const sweepDue = performance.now() + SWEEP_MS;
    while (performance.now() < sweepDue);
    const [{ answer }] = (await answered) as [{ answer: string }];
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    await drained;
    await client.terminate();
  });

  it('closes a connection on which nothing came, and waits for no request on it', async () => {
    const server = createServer((_request, response) => response.end('done'));
    const port = await open(server, '127.0.0.1', 0);
    const socket = connect(port, '127.0.0.1');
    const told: Buffer[] = [];
    socket.on('data', (data: Buffer) => told.push(data));
    const closed = once(socket, 'close');
    await once(server, 'connection');
    await drain(server, LONGEST_MS);
    await closed;
    // One that has begun a request would be told that it was too slow.
    expect(Buffer.concat(told).toString()).toBe('');
  });

  it('waits for the rest of a request that began on a kept connection', async () => {
    const server = createServer((_request, response) => response.end('done'));
    const port = await open(server, '127.0.0.1', 0);
    const sockets: Socket[] = [];
    server.on('connection', (socket: Socket) => sockets.push(socket));
    const [kept, idle] = [await answeredCaller(port, GET), await answeredCaller(port, GET)];
    kept.write(GET.slice(0, 10));
    await until(() => sockets.some(({ bytesRead }) => bytesRead > GET.length));
    const second = once(kept, 'data').catch(() => undefined);
    const closed = once(kept, 'close');
    const drained = drain(server, LONGEST_MS);
    // Idle connections are closed together.
    await once(idle.resume(), 'close');
    kept.write(GET.slice(10));
    const answer = await Promise.race([second, closed]);
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await drained).toBe(0);
  });

  it('closes a connection whose body came after its answer', async () => {
    const server = createServer(KEPT, (_request, response) => response.end('done'));
    const port = await open(server, '127.0.0.1', 0);
    const caller = await answeredCaller(port, `${POST}\r\n`);
    caller.write('{}');
    expect(await drain(server, UNASKED_MS)).toBe(0);
  });

  it('closes a connection whose caller asked whether to send its body', async () => {
    const server = createServer(KEPT).on('checkContinue', (_request, response) => {
      response.writeContinue();
      response.end('done');
    });
    const port = await open(server, '127.0.0.1', 0);
    const caller = await answeredCaller(port, `${POST}Expect: 100-continue\r\n\r\n`);
    caller.write('{}');
    expect(await drain(server, UNASKED_MS)).toBe(0);
  });

  it('accepts connections that keep coming for 10 s, and resets those that wait then', async () => {
    const server = createServer();
    const port = await open(server, '127.0.0.1', 0);
    const reset: (string | undefined)[] = [];
    const knock = (): void =>
      void connect(port, '127.0.0.1').on('error', ({ code }: NodeJS.ErrnoException) => reset.push(code));
    let accepted = 0;
    let passedMs = 0;
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    // As each is accepted the next one waits.
    server.on('connection', (socket: Socket) => {
      socket.destroy();
      accepted += 1;
      if (accepted === 100) passedMs = 10_000;
      if (accepted < 300) knock();
    });
    knock();
    expect(await drain(server, LONGEST_MS)).toBe(0);
    await until(() => reset.length > 0);
    expect([accepted, reset]).toEqual([100, ['ECONNRESET']]);
    clock.mockRestore();
  });
});
