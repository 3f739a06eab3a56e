import { once } from 'node:events';
import { createServer as createPlainServer, type Server as PlainServer, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createMute, type AddressInfo, type Server as Listener } from 'node:net';
import { egressPolicy } from '@opendsr-service/edge';
import { issueCertificate, makeSandboxAuthority, type KeyAndCertificate } from '@opendsr-service/signing';
import { CallbacksClient } from './callbacks.client';

const here = egressPolicy({ hosts: [], cidrs: [], loopback: true });
const limits = { connectMs: 2_000, headersMs: 300, bodyMs: 300, totalMs: 800 };
const body = Buffer.from('{"request_status":"pending"}');
const now = new Date();
const durationMs = expect.any(Number) as number;

let authority: KeyAndCertificate;
let certificate: KeyAndCertificate;
let server: Server;
let heard: { method: string | undefined; path: string | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }[];

const answers: Record<string, (respond: ServerResponse) => void> = {
  '/ok': (respond) => respond.writeHead(202).end(),
  '/later': (respond) => respond.writeHead(503, { 'Retry-After': '60' }).end(),
  '/gone': (respond) => respond.writeHead(410).end(),
  '/moved': (respond) => respond.writeHead(307, { Location: '/ok' }).end(),
  '/silent': () => undefined,
  '/endless': (respond) => {
    respond.writeHead(200);
    const more = () => { while (!respond.destroyed && respond.write(Buffer.alloc(16_384))) continue; };
    respond.on('drain', more);
    more();
  },
  '/broken': (respond) => respond.writeHead(200, { 'Content-Length': 1_000 }).write('half', () => respond.destroy()),
};

const listen = async (own: Listener) => {
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  return (own.address() as AddressInfo).port;
};
const close = (own: Server | PlainServer) => {
  own.closeAllConnections();
  return new Promise((resolve) => own.close(resolve));
};
const post = async (url: string, { policy = here, trusted = true } = {}) => {
  const client = new CallbacksClient(policy, trusted ? authority.certPem : undefined, limits);
  try {
    return await client.post({ ws: 'acme', url, headers: { 'Content-Type': 'application/json', 'X-Delivery-Id': 'd-1' }, body });
  } finally {
    await client.close();
  }
};

beforeAll(async () => {
  authority = await makeSandboxAuthority({ commonName: 'Receivers', days: 1, now });
  certificate = await issueCertificate({ authority, commonName: 'localhost', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'], usage: 'server', days: 1, now });
});

let base: string;
let port: number;
beforeEach(async () => {
  heard = [];
  server = createServer({ key: certificate.keyPem, cert: certificate.certPem }, (request, respond) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push({ method: request.method, path: request.url, headers: request.headers, body: Buffer.concat(chunks) });
      answers[request.url ?? '']?.(respond);
    });
  });
  port = await listen(server);
  base = `https://localhost:${port}`;
});
afterEach(() => close(server));

it('posts exactly the bytes and headers it is given', async () => {
  await expect(post(`${base}/ok`)).resolves.toEqual({ kind: 'delivered', status: 202, durationMs });
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({ method: 'POST', path: '/ok', body, headers: { 'content-type': 'application/json', 'content-length': String(body.length), 'x-delivery-id': 'd-1' } });
});

it('hands on what the receiver asks for', async () => {
  await expect(post(`${base}/later`)).resolves.toEqual({ kind: 'failed', reason: 'receiver', status: 503, retryAfter: '60', durationMs });
  await expect(post(`${base}/gone`)).resolves.toMatchObject({ reason: 'gone' });
});

it('does not follow a redirect', async () => {
  await expect(post(`${base}/moved`)).resolves.toMatchObject({ kind: 'failed', status: 307 });
  expect(heard.map(({ path }) => path)).toEqual(['/moved']);
});

it('waits for an answer only so long, and takes its status for the answer whatever becomes of its body', async () => {
  await expect(post(`${base}/silent`)).resolves.toEqual({ kind: 'failed', reason: 'timeout', durationMs });
  await expect(post(`${base}/endless`)).resolves.toEqual({ kind: 'delivered', status: 200, durationMs });
  await expect(post(`${base}/broken`)).resolves.toEqual({ kind: 'delivered', status: 200, durationMs });
});

it('gives up on a receiver that takes the connection and never speaks', async () => {
  const mute = createMute();
  const mutePort = await listen(mute);
  await expect(post(`https://localhost:${mutePort}/`)).resolves.toEqual({ kind: 'failed', reason: 'timeout', durationMs });
  mute.close();
});

describe('a certificate', () => {
  it('of an unknown authority is a failure, and nothing is sent', async () => {
    await expect(post(`${base}/ok`, { trusted: false })).resolves.toEqual({ kind: 'failed', reason: 'certificate', durationMs });
    expect(heard).toEqual([]);
  });

  it('for another name is a failure', async () => {
    const other = await issueCertificate({ authority, commonName: 'other.example', dnsNames: ['other.example'], usage: 'server', days: 1, now });
    server.setSecureContext({ key: other.keyPem, cert: other.certPem });
    await expect(post(`${base}/ok`)).resolves.toEqual({ kind: 'failed', reason: 'certificate', durationMs });
    expect(heard).toEqual([]);
  });

  it('that is out of date is a failure', async () => {
    const old = await issueCertificate({ authority, commonName: 'localhost', dnsNames: ['localhost'], usage: 'server', days: 1, now: new Date(now.getTime() - 3 * 86_400_000) });
    server.setSecureContext({ key: old.keyPem, cert: old.certPem });
    await expect(post(`${base}/ok`)).resolves.toEqual({ kind: 'failed', reason: 'certificate', durationMs });
  });
});

describe('an address', () => {
  const nowhere = egressPolicy({ hosts: [], cidrs: [], loopback: false });
  it.each([['localhost'], ['127.0.0.1'], ['[::1]'], ['[::ffff:127.0.0.1]'], ['2130706433'], ['0.0.0.0']])('that the policy refuses is not connected to, as %s', async (host) => {
    let connections = 0;
    server.on('connection', () => { connections += 1; });
    await expect(post(`https://${host}:${port}/ok`, { policy: nowhere })).resolves.toEqual({ kind: 'failed', reason: 'address-refused', durationMs });
    expect(connections).toBe(0);
  });

  it('that the policy allows is verified like any other', async () => {
    await expect(post(`https://127.0.0.1:${port}/ok`)).resolves.toEqual({ kind: 'delivered', status: 202, durationMs });
  });

  it('without TLS is called where an operator names its host', async () => {
    const plain = createPlainServer((request, response) => { request.resume().on('end', () => response.writeHead(202).end()); });
    const plainPort = await listen(plain);
    const policy = egressPolicy({ hosts: ['localhost'], cidrs: [], loopback: false });
    await expect(post(`http://localhost:${plainPort}/ok`, { policy })).resolves.toEqual({ kind: 'delivered', status: 202, durationMs });
    await close(plain);
  });

  it('without TLS is refused', async () => {
    await expect(post(`http://localhost:${port}/ok`)).resolves.toEqual({ kind: 'failed', reason: 'address-refused', durationMs });
  });

  it('where nobody listens is a failure', async () => {
    await close(server);
    await expect(post(`${base}/ok`)).resolves.toEqual({ kind: 'failed', reason: 'unreachable', durationMs });
    await expect(post('https://no-such-name.invalid/')).resolves.toMatchObject({ kind: 'failed', reason: 'unreachable' });
  });
});
