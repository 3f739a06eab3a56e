import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { CertificateFiles } from '@opendsr-service/signing';

/** A callback as it came in. */
export interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly base: string;
  heard: Heard[];
  /** What it answers; 202 at first. */
  answer: (one: Heard) => number | Promise<number>;
  close(): Promise<void>;
}

/** A controller's server for callbacks, on this machine, over TLS. */
export async function openReceiver({ keyFile, chainFile }: CertificateFiles): Promise<Receiver> {
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(chainFile) }, (request, respond) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      receiver.heard.push(one);
      void Promise.resolve(receiver.answer(one)).then((status) => respond.writeHead(status).end());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    base: `https://localhost:${(server.address() as AddressInfo).port}`,
    heard: [],
    answer: () => 202,
    close: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

export const json = ({ body }: Heard): Record<string, unknown> =>
  JSON.parse(body.toString()) as Record<string, unknown>;
export const statuses = (heard: readonly Heard[]): unknown[] => heard.map((one) => json(one).request_status);
