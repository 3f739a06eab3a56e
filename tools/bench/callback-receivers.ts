import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { createVerifier, type Verifier } from '@opendsr-service/client';
import { accepted, type TlsFiles } from '../receiver/receiver';
import { fetchCertificate, type Trust } from '../receiver/verification';
import type { Arrival } from './arrivals';
import { answerTasks } from './helper-process';

export interface ReceiversWish {
  /** An address of this machine for each receiver, so that each is a host of its own. */
  readonly living: readonly string[];
  /** One that takes every callback and never answers; undefined: there is none. */
  readonly silent: string | undefined;
  readonly tls: TlsFiles;
  readonly trust: Trust;
}

let servers: Server[] = [];
let verifier: Verifier | undefined;
let arrivals: Arrival[] = [];
let faults: string[] = [];
let deliveries = new Set<string>();

/** All that a controller checks of a callback, as the published client does. */
async function faultOf({ method, headers }: IncomingMessage, body: Buffer, url: string): Promise<string | undefined> {
  if (method !== 'POST') return 'the method is not POST';
  const verdict = await verifier?.verify(body, headers);
  if (!verdict?.valid) return verdict?.checks.at(-1)?.detail ?? 'nothing is believed yet';
  return verdict.callback.status_callback_url === url ? undefined : 'the callback is meant for another address';
}

async function take(base: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const { url: path = '', headers } = request;
  const fault = await faultOf(request, body, `${base}${path}`);
  const delivery = String(headers['x-delivery-id']);
  if (fault !== undefined) faults.push(fault);
  else if (deliveries.has(delivery)) faults.push('a callback came twice');
  else
    arrivals.push({ createdAtMs: Number(path.split('/')[1]), arrivedAtMs: performance.timeOrigin + performance.now() });
  deliveries.add(delivery);
  response.writeHead(fault === undefined ? accepted.status : 401).end();
}

async function listen(host: string, { keyPem, chainPem }: TlsFiles, answers: boolean): Promise<string> {
  const server = createServer({ key: keyPem, cert: chainPem }).listen(0, host);
  await once(server, 'listening');
  servers.push(server);
  const base = `https://${host}:${String((server.address() as AddressInfo).port)}`;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (answers) take(base, request, response).catch(() => response.destroy());
  });
  return base;
}

/** Listens for callbacks of one processor and answers the addresses that they are to be sent to, the silent one's last. */
async function open({ living, silent, tls, trust }: ReceiversWish): Promise<readonly string[]> {
  for (const server of servers) server.close().closeAllConnections();
  servers = [];
  const { pem: certificatePem } = await fetchCertificate(trust.baseUrl);
  verifier = createVerifier({
    allowedDomains: trust.domains,
    callbackUrls: () => true,
    trust: trust.authorityPem,
    certificatePem,
  });
  const hosts = [...living, ...(silent === undefined ? [] : [silent])];
  return Promise.all(hosts.map((host) => listen(host, tls, host !== silent)));
}

const count = () => Promise.resolve(arrivals.length);

/** What has arrived since the last look, and what was wrong with what else came. */
function look(): Promise<{ readonly arrivals: readonly Arrival[]; readonly faults: readonly string[] }> {
  const seen = { arrivals, faults };
  [arrivals, faults, deliveries] = [[], [], new Set()];
  return Promise.resolve(seen);
}

const tasks = { open, count, look };
export type ReceiversTasks = typeof tasks;

answerTasks(tasks);
