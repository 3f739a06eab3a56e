import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { callbackUrlFault, type EgressSources } from '@opendsr-service/edge';
import { createLogger } from '@opendsr-service/service';
import { issueCertificate, makeSandboxAuthority } from '@opendsr-service/signing';
import { CallbacksClient, type Sending } from '../dispatch/callbacks.client';
import { HOSTILE_ADDRESSES, HOSTILE_NAMES, HOSTILE_URLS } from './testing/hostile-urls';
import { CALLBACK, close, listen, sending, using } from './testing/surroundings';

const OWN = '93.184.216.34';
const log = createLogger('test', 'error');
const now = new Date();

let server: Server;
let heard: number;
let port: number;
/** Where sockets of this process went, from any part of the code. */
let dialled: string[];
let asked: string[];
let authorityPem: string;

const watch = (message: unknown) => {
  (message as { socket: Socket }).socket.on('connectionAttempt', (address: string) => dialled.push(address));
};

/** What DNS answers, one look-up after the other; the last answer stays. */
let answers: readonly (readonly string[])[];
const dns: EgressSources = {
  ofAllowedHost: () => Promise.reject(new Error('no host is allowed by name')),
  ofOtherHost: (name) => {
    const addresses = answers[Math.min(asked.push(name), answers.length) - 1] ?? [];
    return Promise.resolve(addresses.map((address) => ({ address, family: isIP(address) })));
  },
  own: () => [OWN],
};

let strict: Sending;
let client: CallbacksClient;
const post = (url: string) => client.post({ ...CALLBACK, url });
/** The address that a URL writes in its own way. */
const addressOf = (host: string) => new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

beforeAll(async () => {
  const authority = await makeSandboxAuthority({ commonName: 'Receivers', days: 1, now });
  authorityPem = authority.certPem;
  const { keyPem: key, certPem: cert } = await issueCertificate({
    authority,
    commonName: 'controller.example',
    dnsNames: ['controller.example'],
    usage: 'server',
    days: 1,
    now,
  });
  server = createServer({ key, cert }, (request, respond) => {
    request.resume().on('end', () => respond.writeHead(202, { Connection: 'close' }).end());
  });
  server.on('connection', () => {
    heard += 1;
  });
  port = await listen(server);
  strict = sending({ ports: [443, port] }, { extraCa: authorityPem });
  client = new CallbacksClient(strict, log, dns);
});
afterAll(async () => {
  await client.close();
  await close(server);
});

beforeEach(() => {
  heard = 0;
  dialled = [];
  asked = [];
  answers = [['127.0.0.1']];
  subscribe('net.client.socket', watch);
});
afterEach(() => {
  unsubscribe('net.client.socket', watch);
});

it('the table is long enough, and has no duplicates', () => {
  const all = [...HOSTILE_ADDRESSES, ...HOSTILE_NAMES, ...HOSTILE_URLS];
  expect(all.length).toBeGreaterThan(120);
  expect(new Set(all).size).toBe(all.length);
});

it.each([...HOSTILE_ADDRESSES, ...HOSTILE_NAMES])(
  'a callback to the host %s is refused at the create, and not dialled at an attempt',
  async (host) => {
    const url = `https://${host}:${port}/`;
    expect(callbackUrlFault(url, strict.policy)).toBe('names a host that callbacks are not sent to');
    await expect(post(url)).resolves.toMatchObject({ kind: 'failed', reason: 'address-refused' });
    expect([dialled, heard]).toEqual([[], 0]);
  },
);

it.each(HOSTILE_URLS)('the URL %j is refused at the create, and not dialled at an attempt', async (text) => {
  const url = text.replace('PORT', String(port));
  expect(callbackUrlFault(url, strict.policy)).toBeDefined();
  await expect(post(url)).resolves.toMatchObject({ kind: 'failed' });
  expect([dialled, heard]).toEqual([[], 0]);
});

it.each([...new Set(HOSTILE_ADDRESSES.map(addressOf)), OWN])(
  'a good name that resolves to %s is not dialled, not even beside a good address',
  async (address) => {
    const url = `https://controller.example:${port}/`;
    expect(callbackUrlFault(url, strict.policy)).toBeUndefined();
    for (const addresses of [[address], ['1.1.1.1', address], [address, '2606:4700::1111']]) {
      answers = [addresses];
      await expect(post(url)).resolves.toMatchObject({ kind: 'failed', reason: 'address-refused' });
    }
    expect([dialled, heard]).toEqual([[], 0]);
  },
);

it.each(['127.0.0.1.nip.example', 'xn--bcher-kva.example'])(
  'the name %s counts by its resolved address, not by its form',
  async (name) => {
    await expect(post(`https://${name}:${port}/`)).resolves.toMatchObject({ reason: 'address-refused' });
    expect([asked, dialled, heard]).toEqual([[name], [], 0]);
  },
);

it('a name is resolved once, so a change of its address after the check has no effect', async () => {
  const how = sending({ ports: [port], cidrs: ['127.0.0.1'] });
  answers = [['127.0.0.1'], ['169.254.169.254'], ['10.0.0.1']];
  await using(new CallbacksClient({ ...how, extraCa: authorityPem }, log, dns), async (allowed) => {
    const send = () => allowed.post({ ...CALLBACK, url: `https://controller.example:${port}/` });
    await expect(send()).resolves.toMatchObject({ kind: 'delivered' });
    expect([asked.length, dialled, heard]).toEqual([1, ['127.0.0.1'], 1]);
    await expect(send()).resolves.toMatchObject({ reason: 'address-refused' });
    await expect(send()).resolves.toMatchObject({ reason: 'address-refused' });
  });
  expect([asked.length, dialled, heard]).toEqual([3, ['127.0.0.1'], 1]);
});
