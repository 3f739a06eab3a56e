import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createPlainServer, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createMute, isIP, type Socket } from 'node:net';
import { until } from '@opendsr-service/messaging/testing';
import { createLogger } from '@opendsr-service/service';
import { issueCertificate, makeSandboxAuthority, type KeyAndCertificate } from '@opendsr-service/signing';
import { recordSpans } from '@opendsr-service/storage/testing';
import { CALLBACK, close, listen, sending, using } from '../egress/testing/surroundings';
import { CallbacksClient, type SendLimits } from './callbacks.client';
import { shownOutcome } from './outcome';

const here = sending({ loopback: true });
/** The same with a limit that is meant to end a try; all others are long. */
const limited = (limits: Partial<SendLimits>) => sending({ loopback: true }, { limits });
const now = new Date();
const durationMs = expect.any(Number) as number;

let authority: KeyAndCertificate;
let certificate: KeyAndCertificate;
let server: Server;
let heard: {
  method: string | undefined;
  path: string | undefined;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
}[];

/** Does something again and again until the connection is gone. */
const repeat = (respond: ServerResponse, work: () => unknown) => {
  const timer = setInterval(work, 20);
  respond.once('close', () => {
    clearInterval(timer);
  });
};

const answers: Record<string, (respond: ServerResponse) => void> = {
  '/ok': (respond) => respond.writeHead(202).end(),
  '/later': (respond) => respond.writeHead(503, { 'Retry-After': '60' }).end(),
  '/gone': (respond) => respond.writeHead(410).end(),
  '/moved': (respond) => respond.writeHead(307, { Location: '/ok' }).end(),
  '/silent': () => undefined,
  '/endless': (respond) => {
    respond.writeHead(200);
    const more = () => {
      while (!respond.destroyed && respond.write(Buffer.alloc(16_384))) continue;
    };
    respond.on('drain', more);
    more();
  },
  '/huge': (respond) => void respond.writeHead(200, { 'Content-Length': 1_000_000_000 }).write(Buffer.alloc(1_024)),
  '/drips': (respond) => {
    respond.writeHead(200);
    repeat(respond, () => respond.write('.'));
  },
  '/drips-headers': (respond) => {
    respond.socket?.write('HTTP/1.1 200 OK\r\nX-Long: ');
    repeat(respond, () => respond.socket?.write('.'));
  },
  '/hints': (respond) => {
    repeat(respond, () => {
      respond.writeProcessing();
    });
  },
  '/broken': (respond) => respond.writeHead(200, { 'Content-Length': 1_000 }).write('half', () => respond.destroy()),
};

const log = createLogger('test', 'error');
const post = (url: string, { how = here, trusted = true } = {}) =>
  using(new CallbacksClient({ ...how, extraCa: trusted ? authority.certPem : undefined }, log), (client) =>
    client.post({ ...CALLBACK, url }),
  );

beforeAll(async () => {
  authority = await makeSandboxAuthority({ commonName: 'Receivers', days: 1, now });
  certificate = await issueCertificate({
    authority,
    commonName: 'localhost',
    dnsNames: ['localhost'],
    ipAddresses: ['127.0.0.1'],
    usage: 'server',
    days: 1,
    now,
  });
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
  expect(heard[0]).toMatchObject({
    method: 'POST',
    path: '/ok',
    body: CALLBACK.body,
    headers: {
      'content-type': 'application/json',
      'content-length': String(CALLBACK.body.length),
      'x-delivery-id': 'd-1',
    },
  });
});

it('sends User-Agent and an Accept of any type', async () => {
  await post(`${base}/ok`, { how: { ...here, userAgent: 'opendsr-service/1.2.3 (+https://dsr.example.com/about)' } });
  expect(heard.map(({ headers }) => [headers['user-agent'], headers.accept])).toEqual([
    ['opendsr-service/1.2.3 (+https://dsr.example.com/about)', '*/*'],
  ]);
});

it('sends no trace header, and its span holds nothing of the receiver', async () => {
  const spans = recordSpans();
  await post(`${base}/ok`);
  await post(`${base}/gone`);
  await post(`https://localhost:1/planted`);
  const made = spans.ended().map(({ name, attributes }) => [name, attributes]);
  await spans.stop();
  expect(
    heard.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /^(trace|baggage|b3)/.test(name)),
  ).toEqual([]);
  const method = { 'http.request.method': 'POST' };
  expect(made).toEqual([
    ['POST callback', { ...method, 'http.response.status_code': 202 }],
    ['POST callback', { ...method, 'http.response.status_code': 410, 'error.type': '410' }],
    ['POST callback', { ...method, 'error.type': 'unanswered' }],
  ]);
});

it('returns the status and Retry-After of the receiver, and the reason gone for 410', async () => {
  await expect(post(`${base}/later`)).resolves.toEqual({
    kind: 'failed',
    reason: 'receiver',
    status: 503,
    retryAfter: '60',
    durationMs,
  });
  await expect(post(`${base}/gone`)).resolves.toMatchObject({ reason: 'gone' });
});

it('does not follow a redirect', async () => {
  await expect(post(`${base}/moved`)).resolves.toMatchObject({ kind: 'failed', status: 307 });
  expect(heard.map(({ path }) => path)).toEqual(['/moved']);
});

it('keeps connections for later callbacks, and opens no more than the limit', async () => {
  let connections = 0;
  server.on('secureConnection', () => {
    connections += 1;
  });
  const how = sending({ loopback: true }, { extraCa: authority.certPem, limits: { connections: 1 } });
  await using(new CallbacksClient(how, log), async (client) => {
    const post = () => client.post({ ...CALLBACK, url: `${base}/ok` });
    await Promise.all([post(), post()]);
    await post();
  });
  expect(heard).toHaveLength(3);
  expect(connections).toBe(1);
});

describe('an answer', () => {
  /** Once the server has no connection any more; one that a busy machine did not get to make in time is not waited for. */
  const dropped = () =>
    until(
      () =>
        new Promise<boolean>((resolve) =>
          server.getConnections((_error, count) => {
            resolve(count === 0);
          }),
        ),
    );

  it('that never comes is a time-out', async () => {
    await expect(post(`${base}/silent`, { how: limited({ headersMs: 300 }) })).resolves.toEqual({
      kind: 'failed',
      reason: 'timeout',
      durationMs,
    });
  });

  it.each([
    ['/drips-headers', limited({ headersMs: 300 })],
    // Each hint gives a receiver the time for headers again: what ends them is the time for all of one try, which the connection is made in.
    ['/hints', limited({ totalMs: 2_000 })],
  ])('with endless headers is a time-out: %s', async (path, how) => {
    await expect(post(`${base}${path}`, { how })).resolves.toEqual({ kind: 'failed', reason: 'timeout', durationMs });
    await dropped();
  });

  it.each(['/endless', '/huge', '/drips', '/broken'])(
    'counts by its status, regardless of its body, and closes the connection: %s',
    async (path) => {
      await using(
        new CallbacksClient({ ...limited({ bodyMs: 300 }), extraCa: authority.certPem }, log),
        async (client) => {
          await expect(client.post({ ...CALLBACK, url: `${base}${path}` })).resolves.toEqual({
            kind: 'delivered',
            status: 200,
            durationMs,
          });
          await dropped();
        },
      );
    },
  );

  it.each([1_024, 1_048_576])('is read to the limit of %i bytes and not much further', async (answerBytes) => {
    const sockets: Socket[] = [];
    const watch = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
    subscribe('undici:client:connected', watch);
    await using(
      new CallbacksClient({ ...limited({ answerBytes }), extraCa: authority.certPem }, log),
      async (client) => {
        await expect(client.post({ ...CALLBACK, url: `${base}/endless` })).resolves.toEqual({
          kind: 'delivered',
          status: 200,
          durationMs,
        });
        await dropped();
      },
    );
    unsubscribe('undici:client:connected', watch);
    // What was read, and not what was written: that lies in the buffers of this machine until it is.
    const [bytesRead] = sockets.map((socket) => socket.bytesRead);
    expect(bytesRead).toBeGreaterThan(answerBytes);
    expect(bytesRead).toBeLessThan(2 * answerBytes + 65_536);
  });

  it('times out at the limit of the whole attempt', async () => {
    await expect(post(`${base}/silent`, { how: limited({ totalMs: 100 }) })).resolves.toEqual({
      kind: 'failed',
      reason: 'timeout',
      durationMs,
    });
  });
});

describe('a receiver', () => {
  it('that accepts the connection and never responds times out', async () => {
    const mute = createMute((socket) => {
      socket.on('error', () => undefined).resume();
    });
    const url = `https://localhost:${await listen(mute)}/`;
    await expect(post(url, { how: limited({ connectMs: 100 }) })).resolves.toEqual({
      kind: 'failed',
      reason: 'timeout',
      durationMs,
    });
    await close(mute);
  });

  it('that supports HTTP/2 gets HTTP/1.1', async () => {
    await close(server);
    const both = createServer(
      { key: certificate.keyPem, cert: certificate.certPem, ALPNProtocols: ['h2', 'http/1.1'] },
      (request, respond) => {
        request.resume().on('end', () => respond.writeHead(202).end());
      },
    );
    const spoken = new Promise((resolve) => {
      both.on('secureConnection', ({ alpnProtocol }) => {
        resolve(alpnProtocol);
      });
    });
    await expect(post(`https://localhost:${await listen(both)}/`)).resolves.toMatchObject({ kind: 'delivered' });
    await expect(spoken).resolves.toBe('http/1.1');
    await close(both);
  });

  it('that supports no TLS above 1.1 is a failure', async () => {
    await close(server);
    const old = createServer({
      key: certificate.keyPem,
      cert: certificate.certPem,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    await expect(post(`https://localhost:${await listen(old)}/`)).resolves.toEqual({
      kind: 'failed',
      reason: 'certificate',
      durationMs,
    });
    await close(old);
  });

  it('is reached at a later checked address if the first ones do not answer', async () => {
    const sources = {
      ofAllowedHost: () => Promise.reject(new Error('not asked')),
      own: () => [],
      ofOtherHost: () =>
        Promise.resolve(['::1', '127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: isIP(address) }))),
    };
    const how = sending({ cidrs: ['::1', '127.0.0.0/8'], ports: [port] }, { extraCa: authority.certPem });
    const url = `https://receiver.example:${port}/ok`;
    certificate = await issueCertificate({
      authority,
      commonName: 'localhost',
      dnsNames: ['localhost', 'receiver.example'],
      ipAddresses: ['127.0.0.1'],
      usage: 'server',
      days: 1,
      now,
    });
    server.setSecureContext({ key: certificate.keyPem, cert: certificate.certPem });
    await expect(
      using(new CallbacksClient(how, log, sources), (client) => client.post({ ...CALLBACK, url })),
    ).resolves.toEqual({ kind: 'delivered', status: 202, durationMs });
  });
});

describe('the environment of the process', () => {
  const planted = {
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    HTTPS_PROXY: 'http://127.0.0.1:1',
    https_proxy: 'http://127.0.0.1:1',
    ALL_PROXY: 'http://127.0.0.1:1',
  };
  afterEach(() => {
    for (const name of Object.keys(planted)) Reflect.deleteProperty(process.env, name);
  });

  it('can neither disable the verification of certificates nor send callbacks to a proxy', async () => {
    Object.assign(process.env, planted);
    await expect(post(`${base}/ok`, { trusted: false })).resolves.toEqual({
      kind: 'failed',
      reason: 'certificate',
      durationMs,
    });
    await expect(post(`${base}/ok`)).resolves.toEqual({ kind: 'delivered', status: 202, durationMs });
  });
});

describe('a certificate', () => {
  it('of an unknown authority is a failure, and nothing is sent', async () => {
    await expect(post(`${base}/ok`, { trusted: false })).resolves.toEqual({
      kind: 'failed',
      reason: 'certificate',
      durationMs,
    });
    expect(heard).toEqual([]);
  });

  it('for another name is a failure', async () => {
    const other = await issueCertificate({
      authority,
      commonName: 'other.example',
      dnsNames: ['other.example'],
      usage: 'server',
      days: 1,
      now,
    });
    server.setSecureContext({ key: other.keyPem, cert: other.certPem });
    await expect(post(`${base}/ok`)).resolves.toEqual({ kind: 'failed', reason: 'certificate', durationMs });
    expect(heard).toEqual([]);
  });

  it('that is out of date is a failure', async () => {
    const old = await issueCertificate({
      authority,
      commonName: 'localhost',
      dnsNames: ['localhost'],
      usage: 'server',
      days: 1,
      now: new Date(now.getTime() - 3 * 86_400_000),
    });
    server.setSecureContext({ key: old.keyPem, cert: old.certPem });
    await expect(post(`${base}/ok`)).resolves.toEqual({ kind: 'failed', reason: 'certificate', durationMs });
  });
});

describe('an address', () => {
  it('that the policy allows is verified like any other', async () => {
    await expect(post(`https://127.0.0.1:${port}/ok`)).resolves.toEqual({ kind: 'delivered', status: 202, durationMs });
  });

  it('without TLS is called if an operator allows its host', async () => {
    const plain = createPlainServer((request, response) => {
      request.resume().on('end', () => response.writeHead(202).end());
    });
    const plainPort = await listen(plain);
    const how = sending({ hosts: ['localhost'] });
    await expect(post(`http://localhost:${plainPort}/ok`, { how })).resolves.toEqual({
      kind: 'delivered',
      status: 202,
      durationMs,
    });
    await close(plain);
  });

  it('without TLS is refused', async () => {
    await expect(post(`http://localhost:${port}/ok`)).resolves.toEqual({
      kind: 'failed',
      reason: 'address-refused',
      durationMs,
    });
  });
});

it('refused address, closed port, time-out, bad certificate and unknown name are indistinguishable to a controller', async () => {
  const closed = createMute();
  const closedPort = await listen(closed);
  await close(closed);
  const unknown = {
    ofAllowedHost: () => Promise.reject(new Error('not asked')),
    own: () => [],
    ofOtherHost: () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })),
  };
  const outcomes = [
    await post(`https://127.0.0.1:${port}/ok`, { how: sending({ ports: [port] }) }),
    await post(`https://localhost:${closedPort}/ok`),
    await post(`${base}/silent`, { how: limited({ headersMs: 300 }) }),
    await post(`${base}/ok`, { trusted: false }),
    await using(new CallbacksClient(here, log, unknown), (client) =>
      client.post({ ...CALLBACK, url: 'https://nobody.example/' }),
    ),
  ];
  expect(outcomes.map((outcome) => outcome.kind === 'failed' && outcome.reason)).toEqual([
    'address-refused',
    'unreachable',
    'timeout',
    'certificate',
    'unreachable',
  ]);
  for (const outcome of outcomes) expect(shownOutcome(outcome)).toEqual({ outcome: 'unreachable' });
});
