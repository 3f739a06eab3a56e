import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { Answer } from './answer';
import type { Caller } from './caller';
import { expectAdmitted, succeeded } from './checks';
import type { Account, ConformanceOptions, Target } from './target';

/** `nobody`: without credentials. */
type Who = Account | 'nobody';

interface CallOptions {
  readonly body?: string;
  /** Undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** By default the account under test. */
  readonly as?: Who;
}

export interface RequestBody extends Readonly<Record<string, unknown>> {
  readonly subject_request_id: string;
  readonly subject_identities: readonly object[];
}

interface Admitted {
  readonly id: string;
  readonly account: Account;
}

const FIRST_LOOK_MS = 50;
const SLOWEST_LOOK_MS = 5_000;

/** One version of the processor under test, as rules use it: calls with the right route and credentials, made-up people, waiting. */
export class Session {
  /** Stands in every made-up identity, so that an operator can find what a run made. */
  readonly run = randomUUID().slice(0, 8);
  private readonly answers = new Map<string, Promise<unknown>>();
  /** The requests that were admitted and not cancelled. */
  private readonly open = new Map<string, Admitted>();

  constructor(
    readonly version: ProtocolVersion,
    readonly target: Target,
    readonly options: ConformanceOptions,
    private readonly caller: Caller,
  ) {}

  get throttled(): readonly (string | null)[] {
    return this.caller.throttled;
  }

  /** How many calls of the run had to wait so far. */
  get waits(): number {
    return this.caller.waits;
  }

  /** The version's root, such as `https://dsr.example/v2`. */
  get root(): string {
    return `${this.target.baseUrls[this.version.apiVersion] ?? ''}/${this.version.root}`;
  }

  /** `path` is relative to the version's root. */
  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.send(method, `${this.root}${path}`, options);
  }

  /** A call to any address, without credentials unless `as` says whose. */
  fetch(url: string, as: Who = 'nobody'): Promise<Answer> {
    return this.send('GET', url, { as });
  }

  /** A POST to any address, as the account under test: for rules about both versions. */
  post(url: string, body: object): Promise<Answer> {
    return this.send('POST', url, { body: JSON.stringify(body) });
  }

  /** Creates a request, which the end of the run cancels. */
  async create(body: object | string, options: Omit<CallOptions, 'body'> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.call('POST', `/${this.version.requestsRoute}`, { ...options, body: text });
    const { as = this.target.account } = options;
    if (succeeded(answer) && as !== 'nobody') this.open.set(`${as.key} ${idIn(text)}`, { id: idIn(text), account: as });
    return answer;
  }

  read(id: string, as?: Who): Promise<Answer> {
    return this.call('GET', `/${this.version.requestsRoute}/${id}`, { as });
  }

  async cancel(id: string, as: Account = this.target.account): Promise<Answer> {
    const answer = await this.call('DELETE', `/${this.version.requestsRoute}/${id}`, { as });
    if (succeeded(answer)) this.open.delete(`${as.key} ${id}`);
    return answer;
  }

  list(query: string, as?: Who): Promise<Answer> {
    return this.call('GET', `/${this.version.requestsRoute}${query}`, { as });
  }

  group(group: string, as?: Who): Promise<Answer> {
    return this.list(`?group_id=${encodeURIComponent(group)}`, as);
  }

  /** A create that the rule takes for granted: a body that must be admitted. */
  async admit(more: object = {}, as?: Who): Promise<RequestBody> {
    const body = this.body(more);
    expectAdmitted(await this.create(body, { as }));
    return body;
  }

  /** A request about a made-up person that the processor is to admit; a rule says what differs, `undefined` leaves a field away. */
  body(more: object = {}): RequestBody {
    return {
      ...(this.version.hasRegulation && { regulation: 'gdpr' }),
      subject_request_id: randomUUID(),
      subject_request_type: this.options.pendingType,
      submitted_time: new Date().toISOString(),
      subject_identities: [raw('email', this.email())],
      api_version: this.version.apiVersion,
      ...more,
    };
  }

  /** An unused address. */
  email(): string {
    return `conformance-${this.run}-${randomUUID()}@example.com`;
  }

  /** Makes something once for all rules that use it. */
  once<T>(what: string, make: () => Promise<T>): Promise<T> {
    const made = this.answers.get(what) ?? make();
    this.answers.set(what, made);
    return made as Promise<T>;
  }

  /** Makes new shared requests from now on. */
  forget(): void {
    this.answers.clear();
  }

  /** Asks until there is an answer (anything but undefined), less and less often; undefined where the time is over. */
  async eventually<T>(
    ask: () => Promise<T | undefined> | T | undefined,
    waitMs = this.options.waitMs,
  ): Promise<T | undefined> {
    const start = performance.now();
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      const waitedMs = performance.now() - start;
      if (waitedMs > waitMs) return undefined;
      await sleep(Math.min(SLOWEST_LOOK_MS, FIRST_LOOK_MS + waitedMs / 10));
    }
  }

  /** Cancels the requests of this session; returns how many it could not cancel. */
  async cleanUp(): Promise<number> {
    await Promise.allSettled([...this.open.values()].map(({ id, account }) => this.cancel(id, account)));
    return this.open.size;
  }

  private send(method: string, url: string, { body, headers, as = this.target.account }: CallOptions): Promise<Answer> {
    const all = {
      ...(as !== 'nobody' && { authorization: basic(as) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
    return this.caller.send({ method, url, body, headers: Object.fromEntries(given) });
  }
}

/** `Basic <BASE64_CREDENTIALS>` of protocol, "Authentication". */
export const basic = ({ key, secret }: Account): string =>
  `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

/** An element of `subject_identities`. */
export const raw = (identity_type: string, identity_value: string) => ({
  identity_type,
  identity_value,
  identity_format: 'raw',
});

/** From the text, because a body may hold integers that a JavaScript number cannot. */
const idIn = (text: string): string => /"subject_request_id"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? '';
