import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CHECK_NAMES } from '@opendsr-service/client';
import { V1 } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { startListening, type Listening } from '../testing/listening';
import { Processor } from '../testing/processor';
import { say } from '../testing/say';
import { listenCommand } from './listen.command';

let processor: Processor;
const running: Listening[] = [];
beforeAll(async () => {
  processor = await Processor.open();
});
afterAll(async () => {
  for (const inspector of running) await inspector.stop();
  await processor.close();
});

/** The listener beside the sandbox, which also a failed test stops. */
async function start(options = ''): Promise<Listening> {
  const inspector = await startListening(options, processor.env);
  running.push(inspector);
  return inspector;
}

describe('dsr listen, without options, beside a sandbox', () => {
  let inspector: Listening;
  beforeAll(async () => {
    inspector = await start();
  });
  beforeEach(() => void inspector.heard());

  it('prints at the start where callbacks go, which domains it accepts and which authority it trusts', async () => {
    const started = await start();
    expect(started.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/callbacks$/);
    const base = `http://localhost:${processor.env.PORT}`;
    expect(started.heard().slice(1, 4)).toEqual([
      `accepts opendsr.localhost, by the certificate that discovery names at ${base}`,
      `accepts opengdpr.localhost, by the certificate that discovery names at ${base}`,
      `trusts ${processor.certificates.authorityFile}`,
    ]);
    expect(await started.stop()).toMatchObject({ code: 0, err: [] });
    expect(started.heard().at(-1)).toBe('stopped after 0 verified callbacks and 0 refused requests');
  });

  it('answers a callback with 202, and shows what it says and the verdict of every check in their order', async () => {
    const sent = await processor.callback(inspector.url);
    expect(await processor.post(inspector.url, sent)).toMatchObject({ status: 202 });
    const lines = inspector.heard();
    const { subject_request_id: srid } = JSON.parse(sent.body.toString()) as { subject_request_id: string };
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z POST \/callbacks$/);
    expect(lines.slice(2, 6)).toEqual([
      `delivery ${sent.headers['X-Delivery-Id']}, new`,
      'status completed',
      `request ${srid}`,
      'from opendsr.localhost, version 2.0',
    ]);
    expect(lines.filter((line) => /^[✓✗]/.test(line)).map((line) => line.split(' ').slice(0, 2))).toEqual(
      CHECK_NAMES.map((name) => ['✓', name]),
    );
    expect(lines.at(-1)).toBe('answered 202');
  });

  it('takes callbacks of version 1 on any path, by their own headers and certificate', async () => {
    const url = new URL('/another/path', inspector.url.replace('127.0.0.1', 'localhost')).href;
    expect(await processor.post(inspector.url, await processor.callback(url, {}, V1))).toMatchObject({ status: 202 });
    expect(inspector.heard()).toContain('from opengdpr.localhost, version 1.0');
  });

  it('names a repeat of a delivery, with what became of it before', async () => {
    const sent = await processor.callback(inspector.url);
    await processor.post(inspector.url, sent);
    await processor.post(inspector.url, sent);
    expect(inspector.heard().filter((line) => line.includes('delivery'))).toEqual([
      expect.stringMatching(/, new$/),
      expect.stringMatching(/, a repeat: it came at \d{4}-\S+Z and was answered 202$/),
    ]);
  });

  it('shows neither the secret of a results link nor what would write over the lines', async () => {
    await processor.post(
      inspector.url,
      await processor.callback(inspector.url, {
        results_url: 'https://dsr.example.com/v2/results/c2FuZGJveDp0aGVzZWNyZXQ',
      }),
    );
    const forged = await processor.callback(inspector.url);
    await processor.post(inspector.url, {
      ...forged,
      headers: { ...forged.headers, 'X-Delivery-Id': '\u009b31m red' },
    });
    const shown = inspector.heard().join('\n');
    expect(shown).toContain('https://dsr.example.com/v2/results/c2FuZG…');
    expect(shown).not.toContain('c2FuZGJv');
    expect(shown).not.toMatch(/\p{Cf}|[\u0080-\u009f]/u);
  });

  it.each([
    [
      'an altered byte',
      'signature',
      async (url: string) => ({ ...(await processor.callback(url)), body: (await processor.callback(url)).body }),
    ],
    [
      'a domain that is not believed',
      'domain',
      async (url: string) => {
        const sent = await processor.callback(url);
        return { ...sent, headers: { ...sent.headers, 'X-OpenDSR-Processor-Domain': 'elsewhere.example' } };
      },
    ],
    [
      'no signature',
      'headers',
      async (url: string) => ({
        ...(await processor.callback(url)),
        headers: { 'X-OpenDSR-Processor-Domain': 'opendsr.localhost' },
      }),
    ],
    [
      'another receiver’s address',
      'url',
      (url: string) => processor.callback(url.replace('127.0.0.1', 'receiver.example')),
    ],
  ])(
    'answers 401 to %s, shows the check that failed last, and nothing of what the body says',
    async (_what, failed, forge) => {
      const sent = await forge(inspector.url);
      expect(await processor.post(inspector.url, sent)).toMatchObject({ status: 401 });
      const lines = inspector.heard();
      expect(lines.at(-2)).toMatch(new RegExp(`^✗ ${failed} `));
      expect(lines.at(-1)).toBe('answered 401');
      expect(lines.join('\n')).not.toMatch(/completed|request /);
    },
  );

  it('does not take a forgery’s delivery id for one that came before', async () => {
    const sent = await processor.callback(inspector.url);
    await processor.post(inspector.url, { ...sent, body: Buffer.from('{}') });
    await processor.post(inspector.url, sent);
    expect(
      inspector
        .heard()
        .filter((line) => line.includes('delivery'))
        .at(-1),
    ).toMatch(/, new$/);
  });

  it('refuses what is no callback: another method, and a body that no callback has', async () => {
    const sent = await processor.callback(inspector.url);
    expect(await processor.post(inspector.url, { ...sent, body: Buffer.alloc(0) }, 'GET')).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
    });
    const statusOf = async (bytes: number) =>
      (await processor.post(inspector.url, { ...sent, body: Buffer.alloc(bytes) })).status;
    expect([await statusOf(262_144), await statusOf(262_145)]).toEqual([401, 413]);
  });
});

it('dsr listen --url believes only what is meant for that address', async () => {
  const url = 'https://receiver.example/hooks';
  const inspector = await start(`--url ${url}`);
  expect(inspector.url).toBe(url);
  const [, at = ''] = /listens at (\S+),/.exec(inspector.heard().join('\n')) ?? [];
  expect((await processor.post(at, await processor.callback(url))).status).toBe(202);
  expect((await processor.post(at, await processor.callback(at))).status).toBe(401);
});

it('dsr listen reports a sender that does not trust its certificate', async () => {
  const inspector = await start();
  await expect(fetch(inspector.url)).rejects.toThrow();
  const shown: string[] = [];
  await until(() => {
    shown.push(...inspector.heard());
    return shown.join('').includes('does the sender trust');
  });
  expect(shown.at(-1)).toMatch(/^A connection ended during the TLS handshake \(\w+\)/);
});

it('dsr listen --plain speaks HTTP, behind a proxy that ends TLS', async () => {
  const inspector = await start('--plain');
  expect(inspector.url).toMatch(/^http:/);
  const sent = await processor.callback(inspector.url);
  expect(
    (await fetch(inspector.url, { method: 'POST', body: new Uint8Array(sent.body), headers: sent.headers })).status,
  ).toBe(202);
});

describe('dsr listen --forward-to', () => {
  let target: Server;
  let arrived: { readonly rawHeaders: string[]; readonly url: string | undefined; readonly body: Buffer }[];
  let answer: { status: number; headers?: Record<string, string> };
  let inspector: Listening;
  beforeAll(async () => {
    target = createServer((request: IncomingMessage, response) => {
      void buffer(request).then((body) => {
        arrived.push({ rawHeaders: request.rawHeaders, url: request.url, body });
        response.writeHead(answer.status, answer.headers).end();
      });
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    inspector = await start(`--forward-to http://127.0.0.1:${(target.address() as AddressInfo).port}/hooks?a=b`);
  });
  beforeEach(() => {
    [arrived, answer] = [[], { status: 204 }];
  });
  afterAll(() => void target.close());

  it('hands on the very bytes and headers of what is verified, and nothing else', async () => {
    const sent = await processor.callback(inspector.url);
    expect((await processor.post(inspector.url, { ...sent, body: Buffer.from('{}') })).status).toBe(401);
    expect(arrived).toEqual([]);
    expect((await processor.post(inspector.url, sent)).status).toBe(202);
    const [only] = arrived;
    expect([arrived.length, only?.url, only?.body]).toEqual([1, '/hooks?a=b', sent.body]);
    const pairs = (only?.rawHeaders ?? []).flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1]]] : []));
    for (const header of Object.entries(sent.headers)) expect(pairs).toContainEqual(header);
    expect(pairs).toContainEqual(['Host', `127.0.0.1:${(target.address() as AddressInfo).port}`]);
    expect(inspector.heard().at(-2)).toMatch(/^forwarded http:\S+ answered 204$/);
  });

  it.each([
    [500, {}],
    [302, { location: '/elsewhere' }],
    [410, {}],
    [429, { 'retry-after': '7' }],
  ])(
    'answers 502 where the target answers %i, so that the callback comes again',
    async (status, headers: Record<string, string>) => {
      answer = { status, headers };
      const sent = await processor.callback(inspector.url);
      expect(await processor.post(inspector.url, sent)).toMatchObject({
        status: 502,
        headers: 'retry-after' in headers ? headers : {},
      });
      expect(inspector.heard().slice(-2)).toEqual([expect.stringContaining(`answered ${status}`), 'answered 502']);
      answer = { status: 200 };
      expect((await processor.post(inspector.url, sent)).status).toBe(202);
      expect(inspector.heard().find((line) => line.includes('delivery'))).toContain('was answered 502');
    },
  );

  it('answers 502 where nobody takes it', async () => {
    const away = await start('--forward-to http://127.0.0.1:1/');
    expect((await processor.post(away.url, await processor.callback(away.url))).status).toBe(502);
    expect(away.heard().at(-2)).toContain('did not answer: ECONNREFUSED');
  });
});

it.each([
  ['listen --port 65536', 2, '--port: must be a whole number'],
  ['listen --tls-key a', 2, 'give both --tls-key and --tls-cert'],
  ['listen --plain --tls-key a --tls-cert b', 2, '--plain excludes'],
  ['listen --domain https://a.example', 2, '--domain: must be domain names'],
  ['listen --trust /nowhere/authority.pem', 1, '/nowhere/authority.pem cannot be read (ENOENT)'],
])('an invalid command line is refused: dsr %s', async (line, code, words) => {
  expect(await say(line, { commands: [listenCommand], env: processor.env })).toMatchObject({
    code,
    err: expect.arrayContaining([expect.stringContaining(words)]) as unknown,
  });
});

it('says what is missing where no sandbox has made a certificate', async () => {
  expect(await say('listen', { commands: [listenCommand], env: { DATA_DIR: '/nowhere' } })).toMatchObject({
    code: 1,
    err: [expect.stringContaining('DATA_DIR holds no sandbox')],
  });
});
