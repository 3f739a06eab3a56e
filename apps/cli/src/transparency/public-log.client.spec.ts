import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PublicLog } from './public-log.client';

let server: Server;
let script: (number | 'dropped' | 'cut off' | 'hung')[];
let waits: number[];

beforeAll(async () => {
  server = createServer((_call, answer) => {
    const next = script.shift() ?? 200;
    if (next === 'hung') return;
    if (next === 'dropped') answer.destroy();
    else if (next === 'cut off')
      answer.writeHead(200, { 'content-length': '100' }).write('half', () => answer.destroy());
    else answer.writeHead(next, next === 429 || next === 503 ? { 'retry-after': '7' } : {}).end('a checkpoint');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  [script, waits] = [[], []];
});

const read = (withinMs = 30_000) =>
  new PublicLog(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => true, {
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    withinMs,
  }).checkpoint();

it('waits where the log limits it, is busy, or ends in the middle of an answer', async () => {
  script = [429, 503, 'cut off', 'dropped'];
  expect(await read()).toBe('a checkpoint');
  expect(waits).toEqual([7_000, 7_000, 1_000, 1_000]);
});

it('asks only so often, and a second time nothing that a repeat does not change', async () => {
  script = Array<number>(40).fill(503);
  await expect(read()).rejects.toThrow('/transparency/checkpoint answers 503');
  expect([waits.length, script.length]).toEqual([29, 10]);
  [script, waits] = [[404, 200], []];
  await expect(read()).rejects.toThrow('answers 404');
  expect(waits).toEqual([]);
});

it('asks an address that never answered once', async () => {
  script = ['dropped', 200];
  await expect(read()).rejects.toThrow('cannot be reached');
  expect([waits, script]).toEqual([[], [200]]);
});

it('asks a log that hangs only three times, and goes on with one that was busy or away', async () => {
  script = [503, 'dropped', 'hung', 503, 'hung', 'hung', 200];
  await expect(read(1_000)).rejects.toThrow('cannot be reached');
  expect([waits, script]).toEqual([[7_000, 1_000, 1_000, 7_000, 1_000], [200]]);
});
