import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@opendsr-service/service';
import type { CertificateFiles } from '@opendsr-service/signing';
import type { CallbackBox } from './callback-box';

/** The headers that say who signed. */
const KEPT_HEADERS = /^x-/;
const MOST_BYTES = 65_536;
const PATH = '/callbacks';

interface CallbackReceiver {
  /** What a request names for its callbacks. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Receives callbacks on this machine alone, over TLS by the certificate of the sandbox, as `dsr listen` does. */
export async function openCallbackReceiver(
  { keyFile, chainFile }: CertificateFiles,
  box: CallbackBox,
  clock: Clock,
): Promise<CallbackReceiver> {
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(chainFile)]);
  const server = createServer({ key, cert }, (request, response) => {
    receive(request, box, clock).then(
      (status) => end(response, status),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}${PATH}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const end = (response: ServerResponse, status: number): void => void response.writeHead(status).end();

async function receive(request: IncomingMessage, box: CallbackBox, clock: Clock): Promise<number> {
  if (request.method !== 'POST' || request.url !== PATH) return 404;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) return 413;
    parts.push(part);
  }
  const headers = Object.entries(request.headers).filter(([name]) => KEPT_HEADERS.test(name));
  box.add({
    at: clock.now(),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(parts),
  });
  return 202;
}
