import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { download } from './download.client';

const LIMIT_BYTES = 1000;
const answers: Record<string, RequestListener> = {
  '/good': (_, response) => response.end('good'),
  '/empty': (_, response) => response.end(),
  '/redirect': (_, response) => response.writeHead(302, { location: '/good' }).end(),
  '/missing': (_, response) => response.writeHead(404).end('x'.repeat(5000)),
  '/large': (_, response) => response.end('x'.repeat(LIMIT_BYTES + 1)),
  '/endless': (_, response) => {
    const write = (): void => void (response.destroyed || (response.write('x'.repeat(500)), setImmediate(write)));
    write();
  },
  '/packed': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000_000))),
  '/silent': () => undefined,
  '/stalling': (_, response) => response.write('a'),
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('a');
    setImmediate(() => response.destroy());
  },
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => answers[request.url ?? '']?.(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const fetched = (path: string, timeoutMs = 5000) => download(new URL(path, origin), LIMIT_BYTES, { fetch, timeoutMs });

it('returns the bytes of an address', async () => {
  expect((await fetched('/good')).toString()).toBe('good');
  expect(await fetched('/empty')).toHaveLength(0);
});

it.each([
  ['/redirect', 'answered 302'],
  ['/missing', 'answered 404'],
  ['/large', 'is larger than 1000 bytes'],
  ['/endless', 'is larger than 1000 bytes'],
  ['/packed', 'is larger than 1000 bytes'],
  ['/cut', 'cannot be reached (UND_ERR_SOCKET)'],
])('refuses %s', async (path, reason) => {
  await expect(fetched(path)).rejects.toThrow(`${origin}${path} ${reason}`);
});

it.each(['/silent', '/stalling'])('waits for %s until the time-out', async (path) => {
  await expect(fetched(path, 50)).rejects.toThrow(`${origin}${path} did not answer in time`);
});

it('reports why an address is unreachable', async () => {
  await expect(
    download(new URL('http://127.0.0.1:1/x'), LIMIT_BYTES, {
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
      timeoutMs: 50,
    }),
  ).rejects.toThrow('http://127.0.0.1:1/x cannot be reached (ECONNREFUSED)');
});
