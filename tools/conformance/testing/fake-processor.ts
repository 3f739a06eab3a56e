import { randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { DISCOVERY_IDENTITIES, REQUEST_TYPES, VERSIONS, type ApiVersion, type ProtocolVersion } from '@opendsr-service/contracts';
import type { Account } from '../target';
import { basic } from '../session';
import { FakeCallbacks } from './fake-callbacks';
import { readFake, type FakeRequest } from './fake-intake';
import { FakeStore, type Stored } from './fake-store';
import type { Fault } from './faults';

/** What a version signs with. */
export interface FakeSigner {
  readonly domain: string;
  readonly keyPem: string;
  readonly chainPem: string;
}

export interface FakeOptions {
  readonly signers: Readonly<Record<ApiVersion, FakeSigner>>;
  readonly authorityPem: string;
  /** The one thing that it does wrong. */
  readonly broken?: Fault;
}

export const ACCOUNTS = { first: { key: 'first', secret: 'first-secret' }, second: { key: 'second', secret: 'second-secret' } } as const satisfies Record<string, Account>;

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly group: string | null;
  readonly version: ProtocolVersion;
  readonly http: IncomingMessage;
  readonly text: string;
}

const START_MS = 30;
const MAX_BYTES = 256 * 1024;
const MAX_GROUP = 150;
const JSON_TYPE = 'application/json; charset=utf-8';
const invalidOperation = { reason: 'InvalidOperationException', domain: 'Validation' };

const error = (status: number, faults: readonly object[] = [{}], headers = {}): Reply => ({
  status,
  headers,
  body: { code: status, message: 'No.', errors: faults.map((fault) => ({ domain: 'Fake', reason: 'Fake', message: 'No.', ...fault })) },
});

/** A processor small enough to be read in one go, that does everything right but what it is told to do wrong. */
export class FakeProcessor {
  private readonly store = new FakeStore();
  private readonly callbacks: FakeCallbacks;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly server: Server;
  private calls = 0;

  private constructor(private readonly options: FakeOptions) {
    this.callbacks = new FakeCallbacks(options.authorityPem, this.is);
    this.server = createServer((http, response) => {
      this.take(http, response).catch(() => response.destroy());
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

  private async take(http: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await buffer(http)).toString();
    const { pathname, searchParams } = new URL(http.url ?? '', this.url);
    const version = VERSIONS.find(({ root }) => pathname.startsWith(`/${root}/`));
    const path = pathname.slice(3).replace(this.is('a slash is another address') ? /(?<=discovery)\/$/ : /\/$/, '');
    const reply = version ? this.answer({ method: http.method ?? '', path, group: searchParams.get('group_id'), version, http, text }) : error(404);
    const bytes = Buffer.isBuffer(reply.body) ? reply.body : Buffer.from(JSON.stringify(this.damaged(reply)));
    response.writeHead(reply.status, { 'content-type': JSON_TYPE, ...(version && this.signed(reply, bytes, { version, method: http.method })), ...reply.headers }).end(bytes);
  }

  private damaged({ status, body }: Reply): unknown {
    if (status < 400) return body;
    if (this.is('error without errors')) return { code: status, message: 'No.' };
    return this.is('error code is text') ? { ...(body as object), code: String(status) } : body;
  }

  private signed({ status }: Reply, bytes: Buffer, { version, method }: { version: ProtocolVersion; method?: string }): Record<string, string> {
    if (status >= 400 || (method === 'GET' && this.is('status not signed'))) return {};
    const headers = this.signatureOf(bytes, version);
    if (method === 'POST' && this.is('no domain header on receipts')) delete headers[version.domainHeader];
    if (method === 'POST' && this.is('no signature on receipts')) delete headers[version.signatureHeader];
    if (method === 'POST' && this.is('no Content-Type on receipts')) headers['content-type'] = 'text/plain';
    return headers;
  }

  private signatureOf(bytes: Buffer, version: ProtocolVersion): Record<string, string> {
    const { domain, keyPem } = this.options.signers[version.apiVersion];
    const signature = sign('sha256', this.is('signature over other bytes') ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes, keyPem).toString('base64');
    return { [version.domainHeader]: domain, [version.signatureHeader]: signature };
  }

  private answer(exchange: Exchange): Reply {
    const { path, version, http } = exchange;
    if (path === '/discovery') return this.discover(version, http);
    if (path === '/certificate') return { status: 200, body: Buffer.from(this.options.signers[version.apiVersion].chainPem), headers: { 'content-type': 'application/x-pem-file' } };
    if (path.startsWith('/results/')) return this.results(path.slice('/results/'.length));
    const [, route, id, more] = path.split('/');
    if (route !== version.requestsRoute || more !== undefined) return error(404);
    const ws = this.caller(exchange);
    if (ws === undefined) return error(401);
    return this.slowedDown() ?? (id === undefined ? this.onAll(exchange, ws) : this.onOne(exchange, { ws, id }));
  }

  /** The first call of an account is one too many. */
  private slowedDown(): Reply | undefined {
    if (this.calls++ > 0 || !(this.is('first 429') || this.is('429 without Retry-After'))) return undefined;
    return error(429, [{}], this.is('first 429') ? { 'retry-after': '1' } : {});
  }

  private caller({ http, method, group }: Exchange): string | undefined {
    const found = Object.values(ACCOUNTS).find((account) => (this.is('any secret') ? http.headers.authorization?.startsWith(basic(account).slice(0, 12)) : http.headers.authorization === basic(account)));
    return found?.key ?? (this.is('lists are public') && method === 'GET' && group !== null ? 'first' : undefined);
  }

  private discover(version: ProtocolVersion, { headers }: IncomingMessage): Reply {
    if (this.is('discovery minds wrong credentials') && headers.authorization !== undefined && headers.authorization !== basic(ACCOUNTS.first)) return error(401);
    const types = this.is('discovery without a type') ? DISCOVERY_IDENTITIES.slice(1) : DISCOVERY_IDENTITIES;
    return {
      status: 200,
      body: {
        api_version: this.is('discovery names the other version') ? 'of another' : version.apiVersion,
        supported_identities: types.map((identity_type) => ({ identity_type, identity_format: 'raw' })),
        supported_subject_request_types: REQUEST_TYPES,
        processor_certificate: `${this.url}/${version.root}/certificate`,
      },
    };
  }

  private results(token: string): Reply {
    const stored = this.store.byToken(token);
    if (stored?.status !== 'completed' || !stored.isKnown) return error(404);
    return this.is('results are forbidden') ? error(403) : { status: 200, body: Buffer.from('PK of nothing'), headers: { 'content-type': 'application/zip' } };
  }

  private onAll(exchange: Exchange, ws: string): Reply {
    const { method, group } = exchange;
    if (method === 'POST') return this.create(exchange, ws);
    if (method !== 'GET') return error(405, [{}], { allow: 'GET, POST' });
    if (!group) return error(400);
    const found = this.store.group(this.is('workspaces see each other') ? undefined : ws, (own) => own === group || (this.is('groups match by their beginning') && own?.startsWith(group) === true));
    return found.length === 0 && this.is('unknown groups are 404') ? error(404) : { status: 200, body: found.map((stored) => this.record(stored)) };
  }

  private onOne({ method }: Exchange, { ws, id }: { ws: string; id: string }): Reply {
    if (method !== 'GET' && method !== 'DELETE') return error(405, [{}], this.is('no Allow') ? {} : { allow: 'GET, DELETE' });
    const stored = this.store.get(ws, id) ?? (this.is('workspaces see each other') ? this.store.get('first', id) : undefined);
    if (!stored) return error(this.is('unknown ids are 400') ? 400 : 404);
    return method === 'GET' ? { status: 200, body: this.record(stored) } : this.cancel(stored);
  }

  private create({ http, text, version }: Exchange, ws: string): Reply {
    if (!/^application\/json\s*(;|$)/i.test(http.headers['content-type'] ?? '')) return error(415);
    if (text.length > MAX_BYTES && !this.is('large bodies are taken')) return error(413);
    const extensionKey = this.options.signers[version.apiVersion].domain;
    const request = readFake(text, { version, extensionKey, is: this.is });
    if (this.is('a bare body is taken') && text === '') return { status: 201, body: {} };
    if (Array.isArray(request)) return error(400, request.map((message) => ({ message })));
    return this.refusal(request, ws) ?? this.admit({ ...request, ws, version, status: 'pending' }, text);
  }

  private refusal(request: FakeRequest, ws: string): Reply | undefined {
    if (this.store.get(ws, request.id)) return this.is('an existing id is 409') ? error(409) : error(400, [invalidOperation]);
    const isTwin = this.store.twin(request, this.is('workspaces conflict') ? undefined : ws, this.is('a conflict for ever'));
    if (isTwin && !this.is('no conflict')) return error(409);
    const isFull = request.group !== null && this.store.group(ws, (own) => own === request.group).length >= MAX_GROUP;
    return isFull && !this.is('groups have no limit') ? error(400, [invalidOperation]) : undefined;
  }

  private admit(stored: Stored, text: string): Reply {
    this.store.add(stored);
    this.tell(stored);
    if (stored.type !== 'portability' && !this.is('never completes')) this.later(stored, 'in_progress', () => this.later(stored, 'completed', () => undefined));
    const receipt = { ...this.common(stored), received_time: this.now(), encoded_request: Buffer.from(this.is('encoded_request is made anew') ? JSON.stringify(JSON.parse(text)) : text).toString('base64') };
    return { status: this.is('create answers 200') ? 200 : 201, body: this.is('own id in receipts') ? { ...receipt, subject_request_id: randomUUID() } : receipt };
  }

  private later(stored: Stored, status: Stored['status'], then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (stored.status === 'cancelled') return;
      stored.status = status;
      this.tell(stored);
      then();
    }, START_MS);
    this.timers.add(timer);
  }

  private cancel(stored: Stored): Reply {
    if (stored.status !== 'pending' && !(stored.status === 'cancelled' && this.is('cancel twice is fine'))) return error(400, [invalidOperation]);
    if (!this.is('cancel changes nothing')) stored.status = 'cancelled';
    if (!this.is('cancel is not told')) this.tell(stored);
    const receipt = { ...this.common(stored), received_time: this.now() };
    return { status: this.is('cancel answers 200') ? 200 : 202, body: this.is('cancel receipt has a time') ? receipt : { ...receipt, expected_completion_time: null } };
  }

  private tell(stored: Stored): void {
    for (const url of this.is('callbacks to the first URL only') ? stored.urls.slice(0, 1) : stored.urls) {
      const { controller_id, expected_completion_time, subject_request_id } = this.common(stored);
      const told = { controller_id, expected_completion_time, status_callback_url: url, subject_request_id, request_status: stored.status, api_version: stored.version.apiVersion, results_url: this.resultsUrl(stored), extensions: null };
      const body = Buffer.from(JSON.stringify(this.is('callbacks have no results_url') ? { ...told, results_url: null } : told));
      this.callbacks.queue(`${stored.id} ${url}`, url, { body, headers: this.is('callbacks not signed') ? {} : this.signatureOf(body, stored.version) });
    }
  }

  private record(stored: Stored): object {
    const record = { ...this.common(stored), group_id: stored.group, request_status: stored.status, api_version: stored.version.apiVersion, results_url: this.resultsUrl(stored), extensions: null };
    return this.is('status says group_id nothing') ? { ...record, group_id: undefined } : record;
  }

  private resultsUrl({ type, status, version, token }: Stored): string | null {
    const hasResults = type !== 'erasure' && (status === 'completed' || this.is('results_url from the beginning'));
    return hasResults ? `${this.url}/${version.root}/results/${token}` : null;
  }

  private common(stored: Stored) {
    return { controller_id: this.is('another controller_id each time') ? randomUUID() : 'controller', expected_completion_time: this.now(), subject_request_id: stored.id };
  }

  private now(): string {
    return new Date().toISOString().replace('Z', this.is('times with an offset') ? '+00:00' : 'Z');
  }
}
