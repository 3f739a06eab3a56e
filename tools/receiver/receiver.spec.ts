import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import {
  ensureSandboxCertificates,
  loadSigners,
  makeSandboxAuthority,
  type SandboxCertificates,
  type Signer,
} from '@opendsr-service/signing';
import { Receiver, type Callback, type TlsFiles } from './receiver';
import { callbackFaults, type Trust } from './verification';

const domain = 'processor.example';
const domainV1 = 'old.example';
let folder: string;
let certificates: SandboxCertificates;
let signer: Signer;
let signerV1: Signer;
let authorityPem: string;
/** An authority that signed nothing here. */
let strangerPem: string;
let processor: Server;
let receiver: Receiver;
let trust: Trust;

const read = (file: string) => readFile(file, 'utf8');
const tls = async ({ receiver: { keyFile, chainFile } }: SandboxCertificates): Promise<TlsFiles> => ({
  keyPem: await read(keyFile),
  chainPem: await read(chainFile),
});

/** A processor's discovery and certificate, for each root. */
async function publish(pems: Readonly<Record<string, string>>): Promise<Server> {
  const server = createServer((http, answer) => {
    const { port } = server.address() as AddressInfo;
    const [, root = '', what] = http.url?.split('/') ?? [];
    if (what === 'discovery')
      answer.end(JSON.stringify({ processor_certificate: `http://127.0.0.1:${String(port)}/${root}/certificate` }));
    else answer.end(pems[root]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function post(url: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  const sent = request(url, {
    method: 'POST',
    ca: authorityPem,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await buffer(answer);
  return answer.statusCode ?? 0;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opendsr-receiver-'));
  certificates = await ensureSandboxCertificates(folder, { domainV2: domain, domainV1, now: new Date() });
  const signers = await loadSigners(
    { v2: { ...certificates.v2, domain }, v1: { ...certificates.v1, domain: domainV1 } },
    new Date(),
  );
  [signer, signerV1] = [signers.v2, signers.v1 as Signer];
  authorityPem = await read(certificates.authorityFile);
  strangerPem = (await makeSandboxAuthority({ commonName: 'stranger', days: 1, now: new Date() })).certPem;
  processor = await publish({ v2: signer.certificatePem, v1: signerV1.certificatePem });
  receiver = await Receiver.start(await tls(certificates));
  trust = {
    domains: [domain],
    baseUrl: `http://127.0.0.1:${String((processor.address() as AddressInfo).port)}`,
    authorityPem,
  };
});

afterAll(async () => {
  processor.closeAllConnections();
  processor.close();
  await receiver.close();
  await rm(folder, { recursive: true });
});

/** Sends a signed callback to a path, with a change, and answers what the receiver finds wrong with it. */
async function faultsOf(
  path: string,
  change: {
    sent?: Buffer;
    url?: string;
    domain?: string;
    trust?: Partial<Trust>;
    version?: ProtocolVersion;
    by?: Signer;
  } = {},
): Promise<string[]> {
  const { apiVersion, domainHeader, signatureHeader } = change.version ?? V2;
  const fields = {
    controller_id: '1',
    expected_completion_time: '2026-11-23T09:15:00Z',
    subject_request_id: randomUUID(),
    request_status: 'pending',
    api_version: apiVersion,
    results_url: null,
    extensions: null,
  };
  const body = Buffer.from(JSON.stringify({ ...fields, status_callback_url: change.url ?? receiver.url(path) }));
  const headers = {
    [domainHeader]: change.domain ?? domain,
    [signatureHeader]: await (change.by ?? signer).sign(body),
  };
  await post(receiver.url(path), change.sent ?? body, headers);
  const [callback] = await receiver.wait(path, 1);
  if (!callback) throw new Error('nothing was kept');
  return callbackFaults(callback, receiver.url(path), { ...trust, ...change.trust }, change.version);
}

it('keeps callbacks byte for byte, by path and in their order, and answers 202 of itself', async () => {
  const first = Buffer.from('{"a" : 1}\n');
  const statuses = [
    await post(receiver.url('/kept'), first, { 'x-one': '1' }),
    await post(receiver.url('/kept', 'localhost'), Buffer.from('2'), {}),
    await post(receiver.url('/other'), first, {}),
  ];
  expect(statuses).toEqual([202, 202, 202]);
  expect(receiver.received('/kept').map(({ body }) => body.toString())).toEqual(['{"a" : 1}\n', '2']);
  expect(receiver.received('/kept')[0]?.headers['x-one']).toBe('1');
});

it('answers as configured, with knowledge of earlier callbacks', async () => {
  receiver.answer('/moody', (_callback, earlier) =>
    earlier.length === 0 ? { status: 500, headers: { 'retry-after': '1' } } : { status: 200 },
  );
  const statuses = [
    await post(receiver.url('/moody'), Buffer.from('1'), {}),
    await post(receiver.url('/moody'), Buffer.from('1'), {}),
  ];
  expect(statuses).toEqual([500, 200]);
});

it('believes a callback that the published certificate signed for this address', async () => {
  await expect(faultsOf('/right')).resolves.toEqual([]);
});

it('believes one of version 1 by the headers and the certificate of that version alone', async () => {
  const old = { domain: domainV1, version: V1, trust: { domains: [domainV1] } };
  await expect(faultsOf('/old', { ...old, by: signerV1 })).resolves.toEqual([]);
  await expect(faultsOf('/mixed', old)).resolves.toEqual([expect.stringMatching(/^signature: /)]);
  await expect(faultsOf('/unknown', { version: V1, by: signerV1 })).resolves.toEqual([
    expect.stringMatching(/^names: /),
  ]);
  await expect(
    callbackFaults(
      receiver.received('/old')[0] as Callback,
      receiver.url('/old'),
      { ...trust, domains: [domainV1] },
      V2,
    ),
  ).resolves.toEqual(['headers: those of version 1.0']);
});

it.each<[string, () => Promise<string[]>, string]>([
  ['changed on its way', () => faultsOf('/changed', { sent: Buffer.from('{}') }), 'signature'],
  ['of a domain it does not know', () => faultsOf('/domain', { domain: 'elsewhere.example' }), 'domain'],
  [
    'of a domain that the certificate does not carry',
    () => faultsOf('/name', { domain: 'b.example', trust: { domains: ['b.example'] } }),
    'names',
  ],
  [
    'under an authority it does not trust',
    () => faultsOf('/authority', { trust: { authorityPem: strangerPem } }),
    'chain',
  ],
  ['meant for another address', () => faultsOf('/mine', { url: 'https://127.0.0.1/not-mine' }), 'url'],
])('does not believe a callback %s', async (_what, faults, expected) => {
  expect(await faults()).toEqual([expect.stringContaining(`${expected}: `)]);
});
