import type { Check, CheckName } from '../verify/types';

/** One fault of an error body (docs/errors.md): programs read `domain` and `reason`, the message is for people. */
export interface ErrorEntry {
  readonly domain: string;
  readonly reason: string;
  readonly message: string;
}

export interface ApiErrorFacts {
  readonly status: number;
  /** From the error body; undefined where the answer had none. */
  readonly message: string | undefined;
  readonly entries: readonly ErrorEntry[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** The service answered with an error, at the last try that was made. It holds neither credentials nor what was sent. */
export class DsrApiError extends Error {
  override readonly name = 'DsrApiError';
  readonly status: number;
  /** Every fault that the error body names; empty where something on the way answered in other words. */
  readonly entries: readonly ErrorEntry[];
  /** `X-Request-Id` of the answer: the service's log has the reason under it. */
  readonly requestId: string | undefined;
  /** What the last answer asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor({ status, message, entries, requestId, retryAfterMs }: ApiErrorFacts) {
    super(`the service answered ${String(status)}${message === undefined ? '' : `: ${message}`}`);
    this.status = status;
    this.entries = entries;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No whole answer came, at the last try that was made: whether the service did what was asked is not known. */
export class DsrConnectionError extends Error {
  override readonly name = 'DsrConnectionError';
}

/** An answer whose signature, or the certificate behind it, did not pass. What it says is not to be believed. */
export class DsrSignatureError extends Error {
  override readonly name = 'DsrSignatureError';

  constructor(
    readonly failed: CheckName,
    /** Up to and with the one that failed. */
    readonly checks: readonly Check[],
  ) {
    super(`the answer is not to be believed: the check of its ${failed} failed`);
  }
}

/** The faults of an error body, whatever else it may be: a proxy answers in words of its own. */
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
