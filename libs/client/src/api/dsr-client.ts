import { VERSIONS, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import type { VerifyOptions } from '../verify/types';
import type { ApiVersion } from '../words';
import { answerCheck, type AnswerCheck } from './answer-check';
import { DsrApiError, DsrConnectionError } from './errors';
import type {
  CancellationReceipt,
  CreateRequest,
  CreationReceipt,
  Discovery,
  Ledger,
  LedgerEntry,
  StatusRecord,
} from './records';
import { requestBody } from './request-body';
import { resultsOf, type Results } from './results';
import { RETRY_DEFAULTS, type RetryOptions } from './retry';
import { REAL_SURROUNDINGS, Transport, type Answered, type Call, type Surroundings } from './transport';

export interface ClientOptions<V extends ApiVersion = '2.0'> {
  /** `{base_url}` of the interface, without the version's root: `https://dsr.example.com`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  /** `2.0` (OpenDSR) where it is left out; `1.0` is OpenGDPR. */
  readonly version?: V;
  /** For one try, in milliseconds. 30,000 where it is left out. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Verify each signed answer before it is believed; off where it is left out. The address of the callbacks does not matter here. */
  readonly verifyAnswers?: Omit<VerifyOptions, 'callbackUrls'>;
  /** The network, time and chance, where they are not those of Node. */
  readonly surroundings?: Partial<Surroundings>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /** This id may have been sent before, by a process that did not live to see the answer: an answer that it exists is then no error. */
  readonly mayExist?: boolean;
}

/** What became of a create. */
export type Created =
  | { readonly outcome: 'created'; readonly receipt: CreationReceipt }
  /**
   * The id exists already, most likely from an earlier try whose answer was lost. The service shows neither identities nor type of a
   * request, so that only version and group could be compared with what was sent: they are the same.
   */
  | { readonly outcome: 'existed'; readonly status: StatusRecord };

/** What became of a cancel. */
export type Cancelled =
  | { readonly outcome: 'cancelled'; readonly receipt: CancellationReceipt }
  /** It is cancelled, and the receipt was lost with the answer of an earlier try. */
  | { readonly outcome: 'was-cancelled'; readonly status: StatusRecord };

type Asked = Pick<Call, 'method' | 'idempotent'> & {
  readonly path: string;
  readonly body?: string;
  readonly anonymous?: boolean;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIMEOUT_MS = 30_000;

/**
 * The DSR endpoints as a controller calls them (interface.md, "Endpoints"). Every method rejects with a DsrApiError for an answer that is an
 * error, with a DsrConnectionError where no answer came, with a DsrSignatureError where answers are verified and one is not right, and with
 * the reason of the signal; what may be tried again was tried again before.
 */
export class DsrClient<V extends ApiVersion = '2.0'> {
  // Private to the language, so that nobody prints the credentials together with the client.
  readonly #authorization: string;
  readonly #root: string;
  readonly #version: ProtocolVersion;
  readonly #transport: Transport;
  readonly #check: AnswerCheck;

  constructor({
    baseUrl,
    key,
    secret,
    version,
    timeoutMs = TIMEOUT_MS,
    retry,
    verifyAnswers,
    surroundings,
  }: ClientOptions<V>) {
    const base = new URL(baseUrl);
    if (!/^https?:$/.test(base.protocol) || base.username || base.password || base.search)
      throw new TypeError('baseUrl is an http(s) address without credentials and query');
    if (key.includes(':')) throw new TypeError('a key holds no colon');
    this.#version = VERSIONS.find(({ apiVersion }) => apiVersion === version) ?? V2;
    this.#root = `${base.href.replace(/\/$/, '')}/${this.#version.root}`;
    this.#authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
    this.#transport = new Transport(
      { retry: { ...RETRY_DEFAULTS, ...retry }, timeoutMs },
      { ...REAL_SURROUNDINGS, ...surroundings },
    );
    this.#check = answerCheck(verifyAnswers);
  }

  /** Sends a request in. Safe to repeat, because the id is the caller's: see `Created` and `mayExist`. */
  async create(request: CreateRequest<V>, { mayExist = false, signal }: CreateOptions = {}): Promise<Created> {
    const body = requestBody(request);
    const answered = await this.#send(
      { method: 'POST', path: this.#version.requestsRoute, body, idempotent: true },
      signal,
    );
    if (answered.response.ok) return { outcome: 'created', receipt: await this.#record(answered) };
    const error = this.#transport.apiError(answered);
    const status =
      (mayExist || answered.mayHaveActed) && (await this.#afterLostAnswer(error, request.subject_request_id, signal));
    const isTheSame =
      status && status.group_id === (request.group_id ?? null) && status.api_version === this.#version.apiVersion;
    if (isTheSame) return { outcome: 'existed', status };
    throw error;
  }

  async status(subjectRequestId: string, { signal }: CallOptions = {}): Promise<StatusRecord> {
    return this.#get(this.#requestPath(subjectRequestId), signal);
  }

  /** The requests of a group; none where the group is unknown. */
  async list(groupId: string, { signal }: CallOptions = {}): Promise<StatusRecord[]> {
    return this.#get(`${this.#version.requestsRoute}?${new URLSearchParams({ group_id: groupId }).toString()}`, signal);
  }

  /** Only what is still pending can be cancelled; anything else is a DsrApiError of 400. */
  async cancel(subjectRequestId: string, { signal }: CallOptions = {}): Promise<Cancelled> {
    const answered = await this.#send(
      { method: 'DELETE', path: this.#requestPath(subjectRequestId), idempotent: true },
      signal,
    );
    if (answered.response.ok) return { outcome: 'cancelled', receipt: await this.#record(answered) };
    const error = this.#transport.apiError(answered);
    const status = answered.mayHaveActed && (await this.#afterLostAnswer(error, subjectRequestId, signal));
    if (status && status.request_status === 'cancelled') return { outcome: 'was-cancelled', status };
    throw error;
  }

  /** Asks for the status, and fetches what its link leads to. No credentials go there: the link is the secret. */
  async results(subjectRequestId: string, { signal }: CallOptions = {}): Promise<Results> {
    const status = await this.status(subjectRequestId, withSignal(signal));
    if (status.results_url === null) return { state: 'none', status };
    const answered = await this.#transport.call(
      { url: status.results_url, method: 'GET', headers: {}, idempotent: true, signal },
      'errors only',
    );
    const results = resultsOf(answered.response);
    if (!results) throw this.#transport.apiError(answered);
    return results;
  }

  /** Each callback of a request and what became of it. An addition of this service to the interface. */
  async callbacks(subjectRequestId: string, { signal }: CallOptions = {}): Promise<Ledger> {
    return this.#get(`${this.#requestPath(subjectRequestId)}/callbacks`, signal);
  }

  /** Sends a callback again, with the same delivery id. It is not made again by itself where its answer was lost. */
  async replay(subjectRequestId: string, deliveryId: string, { signal }: CallOptions = {}): Promise<LedgerEntry> {
    const path = `${this.#requestPath(subjectRequestId)}/callbacks/${uuid(deliveryId)}/replay`;
    return this.#recordOrError(await this.#send({ method: 'POST', path, idempotent: false }, signal));
  }

  /** What the service can do; it is asked without credentials, and its answer is not signed. */
  async discovery({ signal }: CallOptions = {}): Promise<Discovery> {
    const answered = await this.#send({ method: 'GET', path: 'discovery', idempotent: true, anonymous: true }, signal);
    if (!answered.response.ok) throw this.#transport.apiError(answered);
    return parsed(answered);
  }

  #requestPath(subjectRequestId: string): string {
    return `${this.#version.requestsRoute}/${uuid(subjectRequestId)}`;
  }

  async #get<T>(path: string, signal: AbortSignal | undefined): Promise<T> {
    return this.#recordOrError(await this.#send({ method: 'GET', path, idempotent: true }, signal));
  }

  #send({ path, anonymous = false, body, ...asked }: Asked, signal: AbortSignal | undefined): Promise<Answered> {
    const headers = {
      accept: 'application/json',
      ...(!anonymous && { authorization: this.#authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return this.#transport.call({
      url: `${this.#root}/${path}`,
      headers,
      signal,
      ...asked,
      ...(body !== undefined && { body }),
    });
  }

  async #recordOrError<T>(answered: Answered): Promise<T> {
    if (!answered.response.ok) throw this.#transport.apiError(answered);
    return this.#record(answered);
  }

  /** The record of a signed answer, verified where that is wished. */
  async #record<T>(answered: Answered): Promise<T> {
    await this.#check(answered.body ?? Buffer.alloc(0), answered.response.headers);
    return parsed(answered);
  }

  /** How a request stands, where the service refused what an earlier try may have done already. */
  async #afterLostAnswer(
    error: DsrApiError,
    subjectRequestId: string,
    signal: AbortSignal | undefined,
  ): Promise<StatusRecord | undefined> {
    if (error.status !== 400 || !error.entries.some(({ reason }) => reason === 'InvalidOperationException'))
      return undefined;
    return this.status(subjectRequestId, withSignal(signal)).catch((reading: unknown) => {
      if (reading instanceof DsrApiError && reading.status === 404) return undefined;
      throw reading;
    });
  }
}

/** An id in a path must not be able to lead to another address. */
function uuid(id: string): string {
  if (UUID.test(id)) return id;
  throw new TypeError('an id is a UUID');
}

const withSignal = (signal: AbortSignal | undefined): CallOptions => (signal ? { signal } : {});

function parsed<T>({ body }: Answered): T {
  try {
    return JSON.parse(body?.toString() ?? '') as T;
  } catch {
    // The parser's own error would quote the answer.
    throw new DsrConnectionError('the answer is not JSON');
  }
}
