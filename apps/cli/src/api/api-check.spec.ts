import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { issueCertificate, makeSandboxAuthority } from '@opendsr-service/signing';
import { EXIT } from '../command';
import { say } from '../testing/say';
import { apiCheck } from './api-check.command';

const now = new Date('2026-01-05T10:00:00Z');
const DAY_MS = 86_400_000;

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly isCutOff?: true;
}

let server: Server;
let base: string;
let pem: string;
/** By method and path; anything else is answered with 404. */
let answers: Record<string, Answer>;
let asked: string[];
let silentCalls: number;

beforeAll(async () => {
  const authority = await makeSandboxAuthority({ commonName: 'authority', days: 20, now });
  pem = (
    await issueCertificate({
      authority,
      commonName: 'opendsr.example.com',
      dnsNames: [],
      usage: 'signing',
      days: 10,
      now,
    })
  ).certPem;
  server = createServer((request, answer) => {
    const call = `${String(request.method)} ${String(request.url)}`;
    asked.push(`${call}${request.headers.authorization === undefined ? '' : ' with credentials'}`);
    const {
      status,
      body = '',
      isCutOff,
    }: Answer = silentCalls > 0 ? { status: 503 } : (answers[call] ?? { status: 404 });
    silentCalls -= 1;
    if (isCutOff) answer.writeHead(status).write('half', () => answer.destroy());
    else answer.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const record = (root: string) =>
  JSON.stringify({ processor_certificate: `https://public.example.com/${root}/certificates/${root}-now.pem` });

beforeEach(() => {
  asked = [];
  silentCalls = 0;
  answers = {
    'GET /v2/discovery': { status: 200, body: record('v2') },
    'GET /v2/certificates/v2-now.pem': { status: 200, body: pem },
    'GET /v1/discovery': { status: 200, body: record('v1') },
    'GET /v1/certificates/v1-now.pem': { status: 200, body: pem },
    'POST /v1/identify': { status: 401 },
  };
});

const check = (line: string, at = now) => say(`api check ${line}`, { commands: [apiCheck], now: () => at });
const everything = () => check(`--url ${base} --url-v1 ${base} --ingest-url ${base}`);

it('asks both versions and ingestion at the addresses given, without credentials, and says that all is well', async () => {
  const { code, out, err } = await everything();
  expect({ code, err }).toEqual({ code: EXIT.ok, err: [] });
  const published = 'it is published, for opendsr.example.com until 2026-01-15T10:00:00.000Z';
  expect(out).toEqual([
    'ok    discovery of version 2.0: it is answered',
    `ok    certificate of version 2.0: ${published}`,
    'ok    discovery of version 1.0: it is answered',
    `ok    certificate of version 1.0: ${published}`,
    'ok    ingestion: it answers, and wants credentials',
  ]);
  expect(asked.sort()).toEqual(Object.keys(answers).sort());
});

it('asks only what it is given an address of', async () => {
  expect((await check(`--url ${base}/`)).code).toBe(EXIT.ok);
  expect(asked).toEqual(['GET /v2/discovery', 'GET /v2/certificates/v2-now.pem']);
});

it.each<[string, Record<string, Answer>, string]>([
  [
    'a refused discovery',
    { 'GET /v2/discovery': { status: 503 } },
    'discovery of version 2.0: it is answered with 503',
  ],
  [
    'an answer that is cut off',
    { 'GET /v2/discovery': { status: 200, isCutOff: true } },
    'discovery of version 2.0: no answer',
  ],
  ['another page', { 'GET /v2/discovery': { status: 200, body: '<html>' } }, 'the answer is no record of discovery'],
  [
    'a missing certificate',
    { 'GET /v1/certificates/v1-now.pem': { status: 404 } },
    'certificate of version 1.0: it is',
  ],
  ['a page for it', { 'GET /v2/certificates/v2-now.pem': { status: 200, body: 'x' } }, 'the answer is no certificate'],
  ['an ingestion that takes anything', { 'POST /v1/identify': { status: 202 } }, 'ingestion: it is answered with 202'],
  ['no ingestion', { 'POST /v1/identify': { status: 404 } }, 'ingestion: it is answered with 404'],
])('fails on %s, and still says what the others answer', async (_what, change, fault) => {
  Object.assign(answers, change);
  const { code, out } = await everything();
  expect(code).toBe(EXIT.failed);
  expect(out.filter((line) => line.startsWith('FAIL'))).toEqual([expect.stringContaining(fault)]);
  expect(out.some((line) => line.startsWith('ok'))).toBe(true);
});

it('fails on a certificate that is over', async () => {
  const { code, out } = await check(`--url ${base}`, new Date(now.getTime() + 11 * DAY_MS));
  expect([code, out[1]]).toEqual([
    EXIT.failed,
    expect.stringContaining('FAIL  certificate of version 2.0: it is valid'),
  ]);
});

it('fails where nothing listens', async () => {
  const { code, out } = await check('--url http://127.0.0.1:1');
  expect([code, out]).toEqual([EXIT.failed, [expect.stringContaining('FAIL  discovery of version 2.0: no answer')]]);
});

it('asks again with --wait until all is well, and once without', async () => {
  silentCalls = 2;
  expect((await check(`--url ${base} --wait 60`)).code).toBe(EXIT.ok);
  silentCalls = 2;
  expect((await check(`--url ${base}`)).code).toBe(EXIT.failed);
});

it('gives up when the time of --wait is over', async () => {
  silentCalls = Number.POSITIVE_INFINITY;
  let steps = 0;
  const { code } = await say(`api check --url ${base} --wait 60`, {
    commands: [apiCheck],
    now: () => new Date(now.getTime() + 20_000 * steps++),
  });
  expect([code, asked]).toEqual([EXIT.failed, ['GET /v2/discovery', 'GET /v2/discovery']]);
});

it('takes the words by which the pod of `helm test` calls it', () => {
  const golden = readFileSync(join(__dirname, '../../../../tools/chart/golden/production.yaml'), 'utf8');
  const called = golden.slice(golden.indexOf('- api\n')).split('resources:')[0] ?? '';
  const given = [...called.matchAll(/- (--[a-z0-9-]+)\n/g)].map(([, option = '']) => option);
  expect(given).toEqual(['--url', '--url-v1', '--ingest-url', '--wait']);
  expect(given.filter((option) => !apiCheck.usage.includes(`${option} `))).toEqual([]);
});

it('answers a machine with one document', async () => {
  const { out } = await check(`--url ${base} --json`);
  expect(
    out.map((line) => (JSON.parse(line) as { findings: { state: string }[] }).findings.map(({ state }) => state)),
  ).toEqual([['ok', 'ok']]);
});
