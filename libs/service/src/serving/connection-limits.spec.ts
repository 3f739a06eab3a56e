import 'reflect-metadata';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Module } from '@nestjs/common';
import { defaultLimits, type HttpLimits } from '@opendsr-service/edge';
import { createLogger } from '../logger/logger';
import { type RunningProcess, serve, type ServeOptions } from './serve';

@Module({})
class Root {}

const log = createLogger('test', 'error', { write: () => undefined });
const running: RunningProcess[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

const further = { port: 0, owns: (pattern: string) => pattern.startsWith('/v1/') };
async function boot(limits: Partial<HttpLimits>, options: Partial<ServeOptions> = {}) {
  const one = await serve({
    module: Root,
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    furtherListeners: [further],
    limits: { ...defaultLimits, ...limits },
    log,
    ...options,
  });
  running.push(one);
  return { public: one.port ?? 0, further: one.furtherPorts[0] ?? 0, admin: one.adminPort };
}

/** A connection that was answered once and is kept. */
async function hold(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.write('GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 404 /);
  return socket;
}

/** All bytes that a connection receives that sends nothing. */
async function receivedBy(port: number, localAddress = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

const connectionsOf = async (admin: number): Promise<string[]> =>
  (await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text())
    .split('\n')
    .filter((line) => line.startsWith('opendsr_http_connections'));

it('refuses a connection beyond the limit of all public listeners before its request: 503 with Retry-After', async () => {
  const ports = await boot({ connections: 2 });
  await hold(ports.public);
  const second = await hold(ports.further);
  for (const port of [ports.public, ports.further]) {
    const [head = '', body = ''] = (await receivedBy(port)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(head.toLowerCase().split('\r\n')).toEqual(
      expect.arrayContaining([
        'retry-after: 1',
        'connection: close',
        'content-type: application/json; charset=utf-8',
        'cache-control: no-store',
      ]),
    );
    expect(JSON.parse(body)).toMatchObject({
      code: 503,
      errors: [{ domain: 'Service', reason: 'UnavailableException' }],
    });
  }
  second.destroy();
  await once(second, 'close');
  await expectFree(ports.admin, 1);
  await hold(ports.public);
});

it('serves the admin listener at any load of the public ones, and counts open and refused connections there', async () => {
  const ports = await boot({ connections: 1 });
  await hold(ports.public);
  await receivedBy(ports.public);
  expect((await fetch(`http://127.0.0.1:${ports.admin}/livez`)).status).toBe(200);
  expect(await connectionsOf(ports.admin)).toEqual([
    'opendsr_http_connections 1',
    'opendsr_http_connections_refused_total{reason="total"} 1',
    'opendsr_http_connections_refused_total{reason="address"} 0',
  ]);
});

it('refuses an address at its limit, and accepts another', async () => {
  const ports = await boot({ connectionsPerAddress: 2 });
  await Promise.all([hold(ports.public), hold(ports.further)]);
  expect(await receivedBy(ports.public)).toMatch(/^HTTP\/1\.1 503 /);
  await hold(ports.public, '127.0.0.2');
  expect(await connectionsOf(ports.admin)).toContain('opendsr_http_connections_refused_total{reason="address"} 1');
});

it.each<[string, Partial<HttpLimits>, Partial<ServeOptions>]>([
  ['a trusted proxy in front of all callers', { connectionsPerAddress: 1 }, { trustedProxies: ['127.0.0.0/8'] }],
  ['any address where the operator wants none', { connectionsPerAddress: 0 }, {}],
])('has no limit for %s, but that of all', async (_what, limits, options) => {
  const ports = await boot({ ...limits, connections: 3 }, options);
  await Promise.all([hold(ports.public), hold(ports.public), hold(ports.public)]);
  expect(await receivedBy(ports.public)).toMatch(/^HTTP\/1\.1 503 /);
});

it('closes refused connections without a response where many are being refused already', async () => {
  const ports = await boot({ connections: 1 });
  await hold(ports.public);
  // Such a caller does not close its side when it is asked to.
  const refused = Array.from({ length: 150 }, () =>
    connect({ port: ports.public, host: '127.0.0.1', allowHalfOpen: true }),
  );
  sockets.push(...refused);
  let heard = 0;
  await Promise.all(
    refused.map((socket) => {
      socket
        .once('data', () => void (heard += 1))
        .on('error', () => undefined)
        .resume();
      return new Promise<void>(
        (over) =>
          void socket.once('end', over).once('close', () => {
            over();
          }),
      );
    }),
  );
  expect(heard).toBeLessThan(150);
  expect(heard).toBeGreaterThan(0);
  expect(await connectionsOf(ports.admin)).toContain('opendsr_http_connections_refused_total{reason="total"} 150');
});

/** Waits until the server has noticed that connections are gone. */
async function expectFree(admin: number, open: number): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1)
    if ((await connectionsOf(admin))[0] === `opendsr_http_connections ${open}`) return;
  throw new Error('a connection that is closed still counts');
}
