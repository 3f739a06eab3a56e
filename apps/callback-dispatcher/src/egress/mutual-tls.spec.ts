import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { type TLSSocket } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createLogger } from '@opendsr-service/service';
import { issueCertificate, makeSandboxAuthority, type KeyAndCertificate } from '@opendsr-service/signing';
import { CallbacksClient } from '../dispatch/callbacks.client';
import { DispatchWorker } from '../dispatch/dispatch.worker';
import { makeIdentity } from '../testing/identity';
import { openWorld, otherSrid, SECOND } from '../testing/world';
import { CALLBACK, close, listen, sending } from './testing/surroundings';

const now = new Date();
let authority: KeyAndCertificate;
let identities: Record<'acme' | 'beta' | 'renewed', KeyAndCertificate>;
let serverIdentity: KeyAndCertificate;

let server: Server;
let url: string;
/** Who called, by the name in the certificate; each call on whatever connection. */
let callers: string[];
let dir: string;
let lines: string[];
let client: CallbacksClient;

const put = (ws: string, { key, cert }: { key?: string; cert?: string }) => {
  if (key !== undefined) writeFileSync(join(dir, `${ws}.key`), key);
  if (cert !== undefined) writeFileSync(join(dir, `${ws}.pem`), cert);
};
const whole = ({ keyPem, certPem }: KeyAndCertificate) => ({ key: keyPem, cert: certPem });
const post = (ws: string) => client.post({ ...CALLBACK, ws, url });

beforeAll(async () => {
  // To read 150 of them takes each connection pool longer than all that it is asked here.
  jest.spyOn(tls, 'getCACertificates').mockReturnValue([]);
  authority = await makeSandboxAuthority({ commonName: 'All', days: 1, now });
  const issue = (commonName: string) =>
    issueCertificate({ authority, commonName, dnsNames: ['localhost'], usage: 'signing', days: 1, now });
  const [acme, beta, renewed, own] = await Promise.all(['acme', 'beta', 'acme renewed', 'server'].map(issue));
  identities = { acme, beta, renewed } as typeof identities;
  serverIdentity = own as KeyAndCertificate;
});

beforeEach(async () => {
  callers = [];
  lines = [];
  dir = mkdtempSync(join(tmpdir(), 'egress-'));
  const { keyPem: key, certPem: cert } = serverIdentity;
  server = createServer(
    { key, cert, ca: authority.certPem, requestCert: true, rejectUnauthorized: true },
    (request, respond) => {
      callers.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      request.resume().on('end', () => respond.writeHead(202).end());
    },
  );
  url = `https://localhost:${await listen(server)}/`;
  client = new CallbacksClient(
    sending({ loopback: true }, { extraCa: authority.certPem, clientCertDir: dir }),
    createLogger('test', 'debug', { write: (line) => void lines.push(line) }),
  );
});
afterEach(async () => {
  await client.close();
  await close(server);
  rmSync(dir, { recursive: true });
});

it('each workspace shows its own certificate, and one without files shows none', async () => {
  put('acme', whole(identities.acme));
  put('beta', whole(identities.beta));
  await client.refresh();
  for (const ws of ['acme', 'beta', 'acme']) await expect(post(ws)).resolves.toMatchObject({ kind: 'delivered' });
  expect(callers).toEqual(['acme', 'beta', 'acme']);
  await expect(post('gamma')).resolves.toMatchObject({ kind: 'failed' });
  expect(callers).toHaveLength(3);
});

it('a new connection resumes the TLS session of the one before, also after a collection of garbage', async () => {
  const reused: boolean[] = [];
  server.on('secureConnection', (socket) => reused.push(socket.isSessionReused()));
  put('acme', whole(identities.acme));
  await client.refresh();
  await post('acme');
  server.closeAllConnections();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await post('acme');
  expect(reused).toEqual([false, true]);
  expect(callers).toEqual(['acme', 'acme']);
});

it('a new pair is shown without a restart, and removed files end it', async () => {
  put('acme', whole(identities.acme));
  await client.refresh();
  await post('acme');
  put('acme', whole(identities.renewed));
  await client.refresh();
  await post('acme');
  expect(callers).toEqual(['acme', 'acme renewed']);
  for (const file of ['acme.key', 'acme.pem']) rmSync(join(dir, file));
  await client.refresh();
  await expect(post('acme')).resolves.toMatchObject({ kind: 'failed' });
});

it.each([
  ['whose key is another', () => ({ cert: identities.beta.certPem })],
  ['that is no certificate', () => ({ cert: 'planted nonsense' })],
  ['that is no key', () => ({ key: 'planted nonsense' })],
])('a pair %s changes nothing, and is logged once without its content', async (_what, bad) => {
  put('acme', whole(identities.acme));
  await client.refresh();
  put('acme', bad());
  await client.refresh();
  await client.refresh();
  await expect(post('acme')).resolves.toMatchObject({ kind: 'delivered' });
  expect(callers).toEqual(['acme']);
  const warnings = lines.filter((line) => line.includes('"warn"'));
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ ws: 'acme', code: expect.any(String) as string }),
  ]);
  for (const line of lines) expect(line).not.toMatch(/planted|BEGIN/);
});

it('half a pair changes nothing until the other half is there', async () => {
  put('acme', { cert: identities.acme.certPem });
  await client.refresh();
  await expect(post('acme')).resolves.toMatchObject({ kind: 'failed' });
  put('acme', { key: identities.acme.keyPem });
  await client.refresh();
  await expect(post('acme')).resolves.toMatchObject({ kind: 'delivered' });
});

it('other files in the folder, as of a mounted secret, are ignored', async () => {
  writeFileSync(join(dir, 'readme.txt'), 'planted');
  writeFileSync(join(dir, '..data.pem'), 'planted');
  put('acme', whole(identities.acme));
  await client.refresh();
  await expect(post('acme')).resolves.toMatchObject({ kind: 'delivered' });
  expect(lines.filter((line) => line.includes('"warn"'))).toEqual([]);
});

it('a folder that cannot be read is an error, and the certificates read before stay in use', async () => {
  put('acme', whole(identities.acme));
  await client.refresh();
  rmSync(dir, { recursive: true });
  await expect(client.refresh()).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(post('acme')).resolves.toMatchObject({ kind: 'delivered' });
  dir = mkdtempSync(join(tmpdir(), 'egress-'));
});

it('a workspace whose callbacks a host refuses does not affect others there: breakers and slots are separate', async () => {
  put('acme', whole(identities.acme));
  await client.refresh();
  const identity = await makeIdentity(now);
  const world = await openWorld(identity);
  const worker = new DispatchWorker({
    ...{
      store: world.store,
      dependencies: world.dependencies,
      client,
      clock: world.clock,
      times: world.times,
      counts: world.counts,
      hosts: world.hosts,
      log: world.log,
    },
    limits: {
      concurrency: 8,
      slowConcurrency: 8,
      hostConcurrency: 8,
      slowMs: 2 * SECOND,
      breaker: { failures: 1, pauseMs: 60 * SECOND },
      leaseMs: 30 * SECOND,
      tryMs: 17 * SECOND,
    },
  });
  const outcomes = async () =>
    Object.fromEntries(
      (await world.destinations()).map(({ ws, outbox }) => [
        ws,
        outbox?.flatMap((entry) => ('outcome' in entry ? [entry.outcome] : [])),
      ]),
    );
  await world.admitTo([url], { ws: 'beta', srid: otherSrid(1) });
  await world.pass(1, worker);
  await world.admitTo([url], { ws: 'acme', srid: otherSrid(2) });
  await world.admitTo([url], { ws: 'gamma', srid: otherSrid(3) });
  await world.pass(1, worker);
  expect(await outcomes()).toEqual({ beta: ['unreachable', 'postponed'], acme: ['delivered'], gamma: ['unreachable'] });
  expect(callers).toEqual(['acme']);
  await worker.stop();
  await world.close();
  identity.remove();
});
