import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { accepted, type Callback, type TlsFiles } from '../receiver/receiver';
import { callbackFaults, type Trust } from '../receiver/verification';
import { answerTasks } from './helper-process';
import type { Lag } from './statistics';

/** Checking a signature costs as much as a few callbacks, so most are only counted. */
const KEPT_ONE_OF = 50;

const arrived: Lag[] = [];
let kept: Callback[] = [];
let base = '';

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '', headers } = request;
  const body = await buffer(request);
  const arrivedAtMs = Date.now();
  const startedAtMs = Number(path.split('/')[1]);
  if (arrived.length % KEPT_ONE_OF === 0) kept.push({ method, path, headers, body, receivedAt: new Date(arrivedAtMs) });
  arrived.push({ startedAtMs, lagMs: arrivedAtMs - startedAtMs });
  response.writeHead(accepted.status).end();
}

/** Listens for callbacks and answers the address that they are to be sent to. */
async function listen({ keyPem, chainPem }: TlsFiles): Promise<string> {
  const server = createServer({ key: keyPem, cert: chainPem }, (request, response) => {
    take(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return base;
}

const count = () => Promise.resolve(arrived.length);

/** How long those callbacks took whose requests were created since a moment. */
const lagsSince = ({ fromMs }: { readonly fromMs: number }) => Promise.resolve(arrived.filter(({ startedAtMs }) => startedAtMs >= fromMs));

/** Checks the callbacks that were kept as a controller does, and lets go of them. */
async function verify(trust: Trust): Promise<{ readonly checked: number; readonly faults: readonly string[] }> {
  const callbacks = kept;
  kept = [];
  const faults: string[] = [];
  for (const callback of callbacks) faults.push(...(await callbackFaults(callback, `${base}${callback.path}`, trust)));
  return { checked: callbacks.length, faults };
}

const tasks = { listen, count, lagsSince, verify };
export type ReceiverTasks = typeof tasks;

answerTasks(tasks);
