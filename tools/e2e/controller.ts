import { randomUUID } from 'node:crypto';
import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';

/** An answer of the service, its body as the bytes that came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** The JSON of an answer, taken for what the interface says it is. */
export const json = <T>(answer: Answer): T => JSON.parse(answer.body.toString()) as T;

export interface StatusRecord {
  readonly controller_id: string;
  readonly expected_completion_time: string;
  readonly subject_request_id: string;
  readonly group_id: string | null;
  readonly request_status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
  readonly api_version: string;
  readonly results_url: string | null;
  readonly extensions: unknown;
}

export interface Receipt {
  readonly expected_completion_time: string | null;
  readonly received_time: string;
  readonly encoded_request?: string;
  readonly subject_request_id: string;
  readonly controller_id: string;
}

export interface Account {
  readonly baseUrls: readonly string[];
  /** Those of version 1; the same ones where there are none. */
  readonly baseUrlsV1?: readonly string[];
  readonly ingestUrl: string;
  readonly key: string;
  readonly secret: string;
  /** What this caller sends with each call, such as `connection: close`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RequestBody extends Readonly<Record<string, unknown>> {
  readonly subject_request_id: string;
}

/** The least that a create needs; a test says what differs. */
export const requestBody = (more: object, version: ProtocolVersion = V2): RequestBody => ({
  ...(version.hasRegulation && { regulation: 'gdpr' }),
  subject_request_id: randomUUID(),
  subject_request_type: 'access',
  submitted_time: new Date().toISOString(),
  api_version: version.apiVersion,
  ...more,
});

export const raw = (identity_type: string, identity_value: string) => ({
  identity_type,
  identity_value,
  identity_format: 'raw',
});

/** The service as a controller uses it over HTTP in one protocol version. With several addresses, calls alternate. */
export class Controller {
  private calls = 0;

  constructor(
    private readonly account: Account,
    readonly version: ProtocolVersion = V2,
  ) {}

  /** The path of the request resource. */
  get path(): string {
    return `/${this.version.root}/${this.version.requestsRoute}`;
  }

  create(body: object): Promise<Answer> {
    return this.createText(JSON.stringify(body));
  }

  /** The same with exactly these bytes. */
  createText(body: string | Buffer): Promise<Answer> {
    return this.call('POST', `${this.path}/`, body);
  }

  read(id: string): Promise<Answer> {
    return this.call('GET', `${this.path}/${id}`);
  }

  cancel(id: string): Promise<Answer> {
    return this.call('DELETE', `${this.path}/${id}`);
  }

  list(groupId: string): Promise<Answer> {
    return this.call('GET', `${this.path}?group_id=${encodeURIComponent(groupId)}`);
  }

  async status(id: string): Promise<StatusRecord> {
    const answer = await this.read(id);
    if (answer.status !== 200) throw new Error(`the status was answered with ${String(answer.status)}`);
    return json<StatusRecord>(answer);
  }

  /** Any call to a gateway, with the credentials unless other headers name some. */
  call(
    method: string,
    path: string,
    body?: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const { baseUrls: newest, baseUrlsV1 = newest } = this.account;
    const baseUrls = this.version === V1 ? baseUrlsV1 : newest;
    const base = baseUrls[this.calls++ % baseUrls.length] ?? '';
    const bytes = typeof body === 'string' ? body : body && new Uint8Array(body);
    return send(`${base}${path}`, {
      method,
      body: bytes,
      headers: {
        authorization: this.credentials,
        ...this.account.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
  }

  /** A call to identify, events and what belongs to them. */
  ingest(path: string, body: object): Promise<Answer> {
    return this.ingestText(path, JSON.stringify(body), { authorization: this.credentials });
  }

  /** The same with exactly these bytes, and with these headers for credentials. */
  ingestText(
    path: string,
    body: string,
    credentials: Readonly<Record<string, string>> = { authorization: this.credentials },
  ): Promise<Answer> {
    return send(`${this.account.ingestUrl}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...this.account.headers, ...credentials },
    });
  }

  private get credentials(): string {
    return `Basic ${Buffer.from(`${this.account.key}:${this.account.secret}`).toString('base64')}`;
  }
}

/** A call without credentials, such as for results. */
export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, init);
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}
