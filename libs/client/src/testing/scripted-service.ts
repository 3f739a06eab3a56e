import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  readonly call: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** Answers, closes the connection after the call, or never answers. */
export type Line = ScriptedAnswer | 'hang up' | 'silence';

/** A service that answers according to a script and records its calls. */
export class ScriptedService {
  readonly asked: Asked[] = [];
  private readonly script: Line[] = [];
  private readonly server = createServer((request, response) => void this.take(request, response));

  static async start(): Promise<ScriptedService> {
    const service = new ScriptedService();
    service.server.listen(0, '127.0.0.1');
    await once(service.server, 'listening');
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  says(...lines: Line[]): void {
    this.asked.length = 0;
    this.script.splice(0, Infinity, ...lines);
  }

  get calls(): string[] {
    return this.asked.map(({ call }) => call);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    if (this.server.listening) await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push({
      call: `${request.method ?? ''} ${request.url ?? ''}`,
      headers: request.headers,
      body: await text(request),
    });
    const line = this.script.shift() ?? { status: 599, body: 'the script is at its end' };
    if (line === 'hang up') request.socket.destroy();
    else if (line !== 'silence') {
      const { status, headers = {}, body = '' } = line;
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    }
  }
}
