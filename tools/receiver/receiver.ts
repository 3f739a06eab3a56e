import { once } from 'node:events';
import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { until } from './until';

/** A callback as it arrived. */
export interface Callback {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact signed bytes. */
  readonly body: Buffer;
  readonly receivedAt: Date;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The later data, until the caller ends it; by default none. */
  readonly body?: Iterable<Buffer>;
}

/** Decides what a callback is answered with; `earlier` came to the same path before it. */
export type Answering = (callback: Callback, earlier: readonly Callback[]) => ReceiverAnswer | Promise<ReceiverAnswer>;

export interface TlsFiles {
  readonly keyPem: string;
  /** Leaf first. */
  readonly chainPem: string;
}

/** What a receiver answers that found nothing wrong (protocol, "Callback authenticity"). */
export const accepted: ReceiverAnswer = { status: 202 };

const LOOPBACK = '127.0.0.1';
const ANY_ADDRESS = '0.0.0.0';

/** A controller's server for status callbacks. It keeps every callback, for every answer. */
export class Receiver {
  private readonly kept = new Map<string, Callback[]>();
  private readonly answering = new Map<string, Answering>();

  private constructor(
    private readonly server: Server,
    private readonly host: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.take(request, response).catch(() => response.destroy());
    });
  }

  /** By default on a free port of this machine; without `tls` it uses plain HTTP, behind a proxy that ends TLS. */
  static async start(tls: TlsFiles | undefined, { host, port } = { host: LOOPBACK, port: 0 }): Promise<Receiver> {
    const server = tls ? createServer({ key: tls.keyPem, cert: tls.chainPem }) : createPlainServer();
    const receiver = new Receiver(server, host === ANY_ADDRESS ? LOOPBACK : host);
    receiver.server.listen(port, host);
    await once(receiver.server, 'listening');
    return receiver;
  }

  /** The address under which callbacks to a path arrive; `host` is a name of the certificate. */
  url(path: string, host = this.host): string {
    return `https://${host}:${String((this.server.address() as AddressInfo).port)}${path}`;
  }

  /** From now on, callbacks to a path are answered so; else with 202. */
  answer(path: string, answering: Answering): void {
    this.answering.set(path, answering);
  }

  /** What has arrived at a path, in this order. */
  received(path: string): readonly Callback[] {
    return this.kept.get(path) ?? [];
  }

  /** Waits until so many callbacks have arrived at a path. */
  async wait(path: string, count: number, timeoutMs?: number): Promise<readonly Callback[]> {
    await until(`${String(count)} callbacks`, () => this.received(path).length >= count, timeoutMs);
    return this.received(path);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const callback: Callback = { method, path, headers, body: await buffer(request), receivedAt: new Date() };
    const earlier = this.received(path);
    this.kept.set(path, [...earlier, callback]);
    const { status, headers: extra, body = [] } = (await this.answering.get(path)?.(callback, earlier)) ?? accepted;
    await pipeline(Readable.from(body), response.writeHead(status, extra));
  }
}
