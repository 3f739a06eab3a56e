import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as polled } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
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
/** Longer than the pause between two sweeps. */
const SWEEP_MS = 40;

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
});
