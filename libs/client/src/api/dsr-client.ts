import { BUNDLE_MEDIA_TYPE, ENVELOPE_MEDIA_TYPE, VERSIONS, V2, type ProtocolVersion } from '@opendsr-service/contracts';
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
  /** `{base_url}` of the interface, such as `https://dsr.example.com`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  /** Default `2.0` (OpenDSR); `1.0` is OpenGDPR. */
  readonly version?: V;
  /** For one try. Default 30,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Verifies each signed answer. Default off. */
  readonly verifyAnswers?: Omit<VerifyOptions, 'callbackUrls'>;
  /** For tests. */
  readonly surroundings?: Partial<Surroundings>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /** Set it if a previous process may have sent this id; an existing request is then not an error. */
  readonly mayExist?: boolean;
}

export interface AttestationCallOptions extends CallOptions {
  /** Default: the newest. A second statement follows an erasure when no copy of its destroyed keys opens any more. */
  readonly statement?: 1 | 2;
}

export type Created =
  | { readonly outcome: 'created'; readonly receipt: CreationReceipt }
  /** The id exists, probably from a try whose answer was lost. Only version and group are compared, this one while it is shown. */
  | { readonly outcome: 'existed'; readonly status: StatusRecord };

export type Cancelled =
  | { readonly outcome: 'cancelled'; readonly receipt: CancellationReceipt }
  /** Cancelled, but the answer with the receipt was lost. */
  | { readonly outcome: 'was-cancelled'; readonly status: StatusRecord };

type Asked = Pick<Call, 'method' | 'idempotent'> & {
  readonly path: string;
  readonly body?: string;
  readonly anonymous?: boolean;
  readonly accept?: string;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIMEOUT_MS = 30_000;

/**
 * Calls the DSR endpoints (protocol, "Endpoints") with retries. Methods reject with a DsrApiError for an error answer,
 * a DsrConnectionError without an answer, a DsrSignatureError, or the reason of the signal.
 */
export class DsrClient<V extends ApiVersion = '2.0'> {
  // Private fields keep the credentials out of printed objects.
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
    if (!/^https?:$/.test(base.protocol) || base.username || base.password || /[?#]/.test(base.href))
      throw new TypeError('baseUrl must be an http(s) address without credentials, query and fragment');
    if (key.includes(':')) throw new TypeError('a key must not contain a colon');
    this.#version = VERSIONS.find(({ apiVersion }) => apiVersion === version) ?? V2;
    this.#root = `${base.href.replace(/\/$/, '')}/${this.#version.root}`;
    this.#authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
    this.#transport = new Transport(
      { retry: { ...RETRY_DEFAULTS, ...retry }, timeoutMs },
      { ...REAL_SURROUNDINGS, ...surroundings },
    );
    this.#check = answerCheck(verifyAnswers);
  }

  /** Safe to repeat, as the caller chooses the id; see `Created` and `mayExist`. */
  async create(request: CreateRequest<V>, { mayExist = false, signal }: CreateOptions = {}): Promise<Created> {
    const body = requestBody(request);
    const end = this.#transport.deadline();
    const answered = await this.#send(
      { method: 'POST', path: this.#version.requestsRoute, body, idempotent: true },
      signal,
      end,
    );
    if (answered.response.ok) return { outcome: 'created', receipt: await this.#record(answered) };
    const error = this.#transport.apiError(answered);
    const status =
      (mayExist || answered.mayHaveActed) &&
      (await this.#afterLostAnswer(error, request.subject_request_id, signal, end));
    const isTheSame = status && isOfGroup(status, request.group_id) && status.api_version === this.#version.apiVersion;
    if (isTheSame) return { outcome: 'existed', status };
    throw error;
  }

  async status(subjectRequestId: string, { signal }: CallOptions = {}): Promise<StatusRecord> {
    return this.#get(this.#requestPath(subjectRequestId), signal);
  }

  /** The requests of a group; empty for an unknown group. */
  async list(groupId: string, { signal }: CallOptions = {}): Promise<StatusRecord[]> {
    return this.#get(`${this.#version.requestsRoute}?${new URLSearchParams({ group_id: groupId }).toString()}`, signal);
  }

  /** Cancels a pending request; otherwise rejects with a DsrApiError of 400. */
  async cancel(subjectRequestId: string, { signal }: CallOptions = {}): Promise<Cancelled> {
    const end = this.#transport.deadline();
    const answered = await this.#send(
      { method: 'DELETE', path: this.#requestPath(subjectRequestId), idempotent: true },
      signal,
      end,
    );
    if (answered.response.ok) return { outcome: 'cancelled', receipt: await this.#record(answered) };
    const error = this.#transport.apiError(answered);
    const status = answered.mayHaveActed && (await this.#afterLostAnswer(error, subjectRequestId, signal, end));
    if (status && status.request_status === 'cancelled') return { outcome: 'was-cancelled', status };
    throw error;
  }

  /** Reads the status and follows its results link, without credentials. */
  async results(subjectRequestId: string, { signal }: CallOptions = {}): Promise<Results> {
    const status = await this.status(subjectRequestId, signal && { signal });
    if (status.results_url === null) return { state: 'none', status };
    const answered = await this.#transport.call(
      { url: status.results_url, method: 'GET', headers: {}, idempotent: true, signal },
      'errors only',
    );
    const results = resultsOf(answered);
    if (!results) throw this.#transport.apiError(answered);
    return results;
  }

  /** The callbacks of a request; not part of OpenDSR. */
  async callbacks(subjectRequestId: string, { signal }: CallOptions = {}): Promise<Ledger> {
    return this.#get(`${this.#requestPath(subjectRequestId)}/callbacks`, signal);
  }

  /** Sends a callback again with the same delivery id. A lost answer and a 503 are not retried: it may have been sent. */
  async replay(subjectRequestId: string, deliveryId: string, { signal }: CallOptions = {}): Promise<LedgerEntry> {
    const path = `${this.#requestPath(subjectRequestId)}/callbacks/${uuid(deliveryId)}/replay`;
    return this.#recordOrError(await this.#send({ method: 'POST', path, idempotent: false }, signal));
  }

  /** The bytes of the attestation (an envelope) of a request that has ended; a DsrApiError of 404 before. Not part of OpenDSR. */
  async attestation(subjectRequestId: string, options: AttestationCallOptions = {}): Promise<Uint8Array> {
    return this.#attestation(`${this.#requestPath(subjectRequestId)}/attestation`, ENVELOPE_MEDIA_TYPE, options);
  }

  /** The same with the proof that it is in the processor's log (a bundle), for the archive; see `verifyAttestation`. */
  async attestationBundle(subjectRequestId: string, options: AttestationCallOptions = {}): Promise<Uint8Array> {
    return this.#attestation(`${this.#requestPath(subjectRequestId)}/attestation/bundle`, BUNDLE_MEDIA_TYPE, options);
  }

  /** Reads discovery, without credentials; the answer is not signed. */
  async discovery({ signal }: CallOptions = {}): Promise<Discovery> {
    const answered = await this.#send({ method: 'GET', path: 'discovery', idempotent: true, anonymous: true }, signal);
    if (!answered.response.ok) throw this.#transport.apiError(answered);
    return parsed(answered);
  }

  #requestPath(subjectRequestId: string): string {
    return `${this.#version.requestsRoute}/${uuid(subjectRequestId)}`;
  }

  async #get<T>(path: string, signal: AbortSignal | undefined, end?: number): Promise<T> {
    return this.#recordOrError(await this.#send({ method: 'GET', path, idempotent: true }, signal, end));
  }

  async #attestation(path: string, accept: string, { statement, signal }: AttestationCallOptions): Promise<Uint8Array> {
    const asked = statement === undefined ? path : `${path}?statement=${String(statement)}`;
    return this.#bytes(await this.#send({ method: 'GET', path: asked, idempotent: true, accept }, signal));
  }

  #send(
    { path, anonymous = false, accept = 'application/json', body, ...asked }: Asked,
    signal: AbortSignal | undefined,
    end?: number,
  ): Promise<Answered> {
    const headers = {
      accept,
      ...(!anonymous && { authorization: this.#authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return this.#transport.call({
      url: `${this.#root}/${path}`,
      headers,
      signal,
      end,
      ...asked,
      ...(body !== undefined && { body }),
    });
  }

  async #recordOrError<T>(answered: Answered): Promise<T> {
    if (!answered.response.ok) throw this.#transport.apiError(answered);
    return this.#record(answered);
  }

  async #record<T>(answered: Answered): Promise<T> {
    await this.#checked(answered);
    return parsed(answered);
  }

  async #bytes(answered: Answered): Promise<Uint8Array> {
    if (!answered.response.ok) throw this.#transport.apiError(answered);
    return this.#checked(answered);
  }

  async #checked({ body = Buffer.alloc(0), response }: Answered): Promise<Uint8Array> {
    await this.#check(body, response.headers);
    return body;
  }

  async #afterLostAnswer(
    error: DsrApiError,
    subjectRequestId: string,
    signal: AbortSignal | undefined,
    end: number,
  ): Promise<StatusRecord | undefined> {
    if (error.status !== 400 || !error.entries.some(({ reason }) => reason === 'InvalidOperationException'))
      return undefined;
    return this.#get<StatusRecord>(this.#requestPath(subjectRequestId), signal, end).catch((reading: unknown) => {
      if (reading instanceof DsrApiError && reading.status === 404) return undefined;
      throw reading;
    });
  }
}

/** The service shows an empty group as none, and none once the key of a request that has ended is destroyed. */
function isOfGroup({ group_id: shown, request_status: status }: StatusRecord, group: string | undefined): boolean {
  const hasEnded = status === 'completed' || status === 'cancelled';
  return shown === (group || null) || (shown === null && hasEnded);
}

/** An id must not change the path. */
function uuid(id: string): string {
  if (UUID.test(id)) return id;
  throw new TypeError('the id must be a UUID');
}

function parsed<T>({ body }: Answered): T {
  try {
    return JSON.parse(body?.toString() ?? '') as T;
  } catch {
    // The parser's error quotes the answer.
    throw new DsrConnectionError('the answer is not JSON');
  }
}
