import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { rawBodyOf } from '@opendsr-service/client';
import type { InspectorAnswer, Incoming } from './callback-inspector';
import type { Shown } from './shown-certificate';

/** More than the longest callback of the service has, as in the client. */
const BODY_LIMIT_BYTES = 256 * 1024;
const CLOSE_WITHIN_MS = 5_000;

interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: plain HTTP, behind a proxy that ends TLS. */
  readonly tls: Shown | undefined;
  readonly handle: (incoming: Incoming) => Promise<InspectorAnswer>;
  /** Called after a failed TLS handshake. */
  readonly onTlsFailure: (reason: string) => void;
}

interface Listener {
  readonly port: number;
  /** Answers open requests and accepts no more. */
  close(): Promise<void>;
}

/** Listens for callbacks on every path. Rejects if it cannot listen. */
export async function listen({ host, port, tls, handle, onTlsFailure }: ListenerOptions): Promise<Listener> {
  const server = tls ? createServer(tls) : createPlainServer();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, handle).catch(() => response.destroy());
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException) => onTlsFailure(error.code ?? error.name));
  server.listen(port, host);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: ListenerOptions['handle'],
): Promise<void> {
  const { method = '', url = '', headers, rawHeaders } = request;
  const { status, headers: more } = await handle({
    method,
    path: url,
    headers,
    rawHeaders,
    body: await rawBodyOf(request, BODY_LIMIT_BYTES, 'nothing else reads it here'),
  });
  response.writeHead(status, { ...more, 'content-length': 0 }).end();
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const last = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
  await closed;
  clearTimeout(last);
}
