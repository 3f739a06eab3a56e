import type { Check, CheckName } from '../verify/types';

/** One fault of an error body (docs/errors.md); the message is for people. */
export interface ErrorEntry {
  readonly domain: string;
  readonly reason: string;
  readonly message: string;
}

interface ApiErrorFacts {
  readonly status: number;
  readonly message: string | undefined;
  readonly entries: readonly ErrorEntry[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** The service answered with an error. Holds neither credentials nor the request body. */
export class DsrApiError extends Error {
  override readonly name = 'DsrApiError';
  readonly status: number;
  /** Empty: a proxy answered. */
  readonly entries: readonly ErrorEntry[];
  /** `X-Request-Id` of the answer. */
  readonly requestId: string | undefined;
  /** From `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor({ status, message, entries, requestId, retryAfterMs }: ApiErrorFacts) {
    super(`the service answered ${String(status)}${message === undefined ? '' : `: ${message}`}`);
    this.status = status;
    this.entries = entries;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No complete answer arrived. The call may have taken effect. */
export class DsrConnectionError extends Error {
  override readonly name = 'DsrConnectionError';
}

/** The signature or certificate of an answer is invalid. Do not trust the answer. */
export class DsrSignatureError extends Error {
  override readonly name = 'DsrSignatureError';

  constructor(
    readonly failed: CheckName,
    readonly checks: readonly Check[],
  ) {
    super(`the answer is not to be believed: the check of its ${failed} failed`);
  }
}

/** Accepts any text, as a proxy may answer. */
export function errorBodyOf(text: string): { message: string | undefined; entries: readonly ErrorEntry[] } {
  const body = parsed(text);
  const { message, errors } = body;
  return {
    message: typeof message === 'string' ? message : undefined,
    entries: Array.isArray(errors) ? errors.filter(isEntry) : [],
  };
}

const isEntry = (value: unknown): value is ErrorEntry =>
  typeof value === 'object' &&
  value !== null &&
  ['domain', 'reason', 'message'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string');

function parsed(text: string): { message?: unknown; errors?: unknown } {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
