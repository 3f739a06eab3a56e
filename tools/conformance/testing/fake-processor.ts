import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { VERSIONS, type ProtocolVersion } from '@opendsr-service/contracts';
import type { Account } from '../target';
import { basic } from '../session';
import { FakeAnswers } from './fake-answers';
import { FakeCallbacks } from './fake-callbacks';
import { readFake, type FakeRequest } from './fake-intake';
import { FakeStore, type Stored } from './fake-store';
import { errorReply, type Exchange, type Reply } from './fake-http';
import type { FakeOptions } from './fake-options';
import { FakeSignatures } from './fake-signatures';
import type { Fault } from './faults';
import { tampered } from './tamperings';

export const ACCOUNTS = {
  first: { key: 'first', secret: 'first-secret' },
  second: { key: 'second', secret: 'second-secret' },
} as const satisfies Record<string, Account>;

const START_MS = 30;
const MAX_BYTES = 256 * 1024;
const MAX_GROUP = 150;
/** Of a results link that is too old. */
export const OLD_TOKEN = 'old';
const JSON_TYPE = 'application/json; charset=utf-8';
const invalidOperation = { reason: 'InvalidOperationException', domain: 'Validation' };

/** A small processor that does everything right except the planted fault. */
export class FakeProcessor {
  private readonly store = new FakeStore();
  private readonly answers: FakeAnswers;
  private readonly signatures: FakeSignatures;
  private readonly callbacks: FakeCallbacks;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly server: Server;
  private readonly listed = new Set<string>();
  private calls = 0;

  private constructor(private readonly options: FakeOptions) {
    this.answers = new FakeAnswers(() => this.url, options.broken);
    this.signatures = new FakeSignatures(options.signers, this.is);
    this.callbacks = new FakeCallbacks(options.authorityPem, this.is);
    this.server = createServer((http, response) => {
      this.serve(http, response).catch(() => response.destroy());
    });
  }

  static async start(options: FakeOptions): Promise<FakeProcessor> {
    const fake = new FakeProcessor(options);
    fake.server.listen(0, '127.0.0.1');
    await once(fake.server, 'listening');
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    this.callbacks.end();
    for (const timer of this.timers) clearTimeout(timer);
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private readonly is = (fault: Fault): boolean => this.options.broken === fault;

  private async serve(http: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await buffer(http)).toString();
    const { pathname, searchParams } = new URL(http.url ?? '', this.url);
    const version = VERSIONS.find(({ root }) => pathname.startsWith(`/${root}/`));
    const path = pathname.slice(3).replace(this.is('a slash is another address') ? /(?<=discovery)\/$/ : /\/$/, '');
    const reply = version
      ? this.tamperedAnswer({
          method: http.method ?? '',
          path,
          group: searchParams.get('group_id'),
          version,
          http,
          text,
        })
      : errorReply(404);
    const bytes = Buffer.isBuffer(reply.body) ? reply.body : Buffer.from(JSON.stringify(reply.body));
    response
      .writeHead(reply.status, {
        'content-type': JSON_TYPE,
        ...(version && this.signatures.headersOf(reply, bytes, { version, method: http.method })),
        ...reply.headers,
      })
      .end(bytes);
  }

  private tamperedAnswer(exchange: Exchange): Reply {
    return tampered(
      this.options.broken,
      this.isServed(exchange.version) ? this.answer(exchange) : errorReply(404),
      exchange,
    );
  }

  private isServed({ apiVersion }: ProtocolVersion): boolean {
    return this.options.versions?.includes(apiVersion) ?? true;
  }

  private answer(exchange: Exchange): Reply {
    const { path, version } = exchange;
    if (path === '/discovery') return { status: 200, body: this.answers.discovery(version) };
    if (path === '/certificate')
      return {
        status: 200,
        body: Buffer.from(this.options.signers[version.apiVersion].chainPem),
        headers: { 'content-type': 'application/x-pem-file' },
      };
    if (path.startsWith('/results/')) return this.results(path.slice('/results/'.length));
    const [, route, id, more] = path.split('/');
    if (!this.isRoute(version, route) || more !== undefined) return errorReply(404);
    const ws = this.caller(exchange);
    if (ws === undefined) return errorReply(401);
    return this.slowedDown() ?? (id === undefined ? this.onAll(exchange, ws) : this.onOne(exchange, { ws, id }));
  }

  /** The first call is one too many, or the second, during whose pause requests go on. */
  private slowedDown(): Reply | undefined {
    if (this.is('requests start during a 429') && this.calls === 1) {
      this.calls++;
      this.store.startAll();
      return errorReply(429, [{}], { 'retry-after': '1' });
    }
    if (this.calls++ > 0 || !(this.is('first 429') || this.is('429 without Retry-After'))) return undefined;
    return errorReply(429, [{}], this.is('first 429') ? { 'retry-after': '1' } : {});
  }

  private caller({ http, method, group }: Exchange): string | undefined {
    const found = Object.values(ACCOUNTS).find((account) =>
      this.is('any secret')
        ? http.headers.authorization?.startsWith(basic(account).slice(0, 12))
        : http.headers.authorization === basic(account),
    );
    return found?.key ?? (this.is('lists are public') && method === 'GET' && group !== null ? 'first' : undefined);
  }

  private isRoute({ requestsRoute }: ProtocolVersion, route = ''): boolean {
    return (
      route === requestsRoute ||
      (this.is('both routes under both roots') && VERSIONS.some((version) => version.requestsRoute === route))
    );
  }

  private results(token: string): Reply {
    if (token === OLD_TOKEN) return errorReply(410);
    const stored = this.store.byToken(token);
    if (stored?.status !== 'completed' || !stored.isKnown) return errorReply(404);
    return { status: 200, body: Buffer.from('PK of nothing'), headers: { 'content-type': 'application/zip' } };
  }

  private onAll(exchange: Exchange, ws: string): Reply {
    const { method, group } = exchange;
    if (method === 'POST') return this.create(exchange, ws);
    if (method !== 'GET') return errorReply(405, [{}], { allow: 'GET, POST' });
    if (!group) return this.is('a list needs no group') ? { status: 200, body: [] } : errorReply(400);
    const found = this.store.group(
      this.is('workspaces see each other') ? undefined : ws,
      (own) => own === group || (this.is('groups match by their beginning') && own?.startsWith(group) === true),
    );
    const isTurned = this.is('lists turn round') && this.listed.has(group);
    this.listed.add(group);
    return { status: 200, body: (isTurned ? found.reverse() : found).map((stored) => this.answers.record(stored)) };
  }

  private onOne({ method }: Exchange, { ws, id: given }: { ws: string; id: string }): Reply {
    if (method !== 'GET' && method !== 'DELETE') return errorReply(405, [{}], { allow: 'GET, DELETE' });
    const id = this.is('ids keep their case') ? given : given.toLowerCase();
    const stored =
      this.store.get(ws, id) ?? (this.is('workspaces see each other') ? this.store.get('first', id) : undefined);
    if (!stored) return errorReply(this.is('unknown ids are 400') ? 400 : 404);
    return method === 'GET' ? { status: 200, body: this.answers.record(stored) } : this.cancel(stored);
  }

  private create({ http, text, version }: Exchange, ws: string): Reply {
    if (!this.isJson(http.headers['content-type'] ?? '')) return errorReply(415);
    if (text.length > MAX_BYTES && !this.is('large bodies are taken')) return errorReply(413);
    const extensionKey = this.options.signers[version.apiVersion].domain;
    const request = readFake(text, { version, extensionKey, broken: this.options.broken, is: this.is });
    if (this.is('a bare body is taken') && text === '') return { status: 201, body: {} };
    if (Array.isArray(request))
      return errorReply(
        400,
        request.map((message) => ({ message })),
      );
    return this.refusal(request, ws, version) ?? this.admit({ ...request, ws, version, status: 'pending' }, text);
  }

  private isJson(type: string): boolean {
    if (this.is('any Content-Type is taken')) return true;
    return this.is('Content-Type is compared with case')
      ? type === 'application/json'
      : /^application\/json\s*(;|$)/i.test(type);
  }

  private refusal(request: FakeRequest, ws: string, { apiVersion }: ProtocolVersion): Reply | undefined {
    if (this.store.get(this.is('ids are unique over workspaces') ? 'first' : ws, request.id))
      return this.is('an existing id is 409') ? errorReply(409) : errorReply(400, [invalidOperation]);
    const twin = this.store.twin(
      this.is('workspaces conflict') ? undefined : ws,
      (other) =>
        this.isSame(request, other) &&
        (other.version.apiVersion === apiVersion || !this.is('versions do not conflict')),
    );
    if (twin && !this.is('no conflict')) return errorReply(409);
    const isFull = request.group !== null && this.store.group(ws, (own) => own === request.group).length >= MAX_GROUP;
    return isFull && !this.is('groups have no limit') ? errorReply(400, [invalidOperation]) : undefined;
  }

  private isSame({ same, type }: FakeRequest, other: Stored): boolean {
    const isOpen = other.status === 'pending' || other.status === 'in_progress' || this.is('a conflict for ever');
    const isCommon =
      this.is('one common identity conflicts') && other.same.split('|').some((one) => same.split('|').includes(one));
    return isOpen && (other.same === same || isCommon) && (other.type === type || this.is('types conflict'));
  }

  private admit(stored: Stored, text: string): Reply {
    this.store.add(stored);
    this.sendCallbacks(stored);
    if (this.completes(stored))
      this.later(stored, 'in_progress', () => this.later(stored, 'completed', () => undefined));
    const receipt = {
      ...this.answers.common(stored),
      received_time: this.answers.now(),
      encoded_request: Buffer.from(
        this.is('encoded_request is serialised again') ? JSON.stringify(JSON.parse(text)) : text,
      ).toString('base64'),
    };
    return { status: 201, body: receipt };
  }

  private completes({ type }: Stored): boolean {
    return !this.is('never completes') && (type !== 'portability' || this.options.isPortabilityQuick === true);
  }

  private later(stored: Stored, status: Stored['status'], then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (stored.status === 'cancelled') return;
      stored.status = status;
      this.sendCallbacks(stored);
      then();
    }, START_MS);
    this.timers.add(timer);
  }

  private cancel(stored: Stored): Reply {
    if (!this.canCancel(stored)) return errorReply(400, [invalidOperation]);
    if (!this.is('cancel changes nothing')) stored.status = 'cancelled';
    if (!this.is('no callback for a cancel')) this.sendCallbacks(stored);
    return {
      status: 202,
      body: { ...this.answers.common(stored), received_time: this.answers.now(), expected_completion_time: null },
    };
  }

  private canCancel({ status }: Stored): boolean {
    if (status === 'pending') return !this.is('nothing can be cancelled');
    return (
      (status === 'cancelled' && this.is('cancel twice is fine')) ||
      (status === 'completed' && this.is('completed requests can be cancelled'))
    );
  }

  private sendCallbacks(stored: Stored): void {
    if (
      this.is('callbacks are not sent') ||
      (stored.status === 'pending' && this.is('no callback for creation')) ||
      (stored.status === 'in_progress' && this.is('no callback for in_progress'))
    )
      return;
    for (const url of this.is('callbacks to the first URL only') ? stored.urls.slice(0, 1) : stored.urls) {
      const body = Buffer.from(JSON.stringify(this.answers.callbackOf(stored, url)));
      this.callbacks.queue(`${stored.id} ${url}`, url, {
        body,
        headers: this.is('callbacks not signed') ? {} : this.signatures.signatureOf(body, stored.version),
      });
    }
  }
}
