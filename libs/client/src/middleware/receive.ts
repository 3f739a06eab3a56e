import { createVerifier } from '../verify/verifier';
import type { Check, CheckName, ValidVerdict, VerifyOptions } from '../verify/types';

/** A verified callback with the signed bytes. */
export interface VerifiedCallback extends Omit<ValidVerdict, 'valid'> {
  readonly rawBody: Buffer;
}

/** Success is answered with 202, a rejection with 500, so that the sender retries. */
export type CallbackHandler = (callback: VerifiedCallback) => Promise<void> | void;

/** For the receiver's log; the sender does not see it. */
export interface Rejection {
  readonly status: 401 | 405 | 413 | 415;
  readonly reason: CheckName | 'method' | 'content-type' | 'content-encoding' | 'size';
  readonly checks: readonly Check[];
}

export interface CallbackOptions extends VerifyOptions {
  /** Default 262,144. */
  readonly limitBytes?: number;
  readonly onRejected?: (rejection: Rejection) => void;
  /** Receives errors of the handler. Default: Fastify's log, or a process warning. */
  readonly onError?: (error: unknown) => void;
}

export interface Incoming {
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  read(limitBytes: number): Promise<Buffer | undefined>;
}

interface EmptyAnswer {
  readonly status: 202 | 500 | Rejection['status'];
  readonly headers: Readonly<Record<string, string>>;
}

/** More than a callback with 100 participants, each with 256 characters that JSON escapes. */
const LIMIT_BYTES = 256 * 1024;

/** Rejects only if the body is unreadable. */
export function callbackReceiver(
  options: CallbackOptions,
  handler: CallbackHandler,
): (request: Incoming) => Promise<EmptyAnswer> {
  const verifier = createVerifier(options);
  const { limitBytes = LIMIT_BYTES, onRejected, onError = warn } = options;

  const reject = (rejection: Rejection): EmptyAnswer => {
    quietly(() => onRejected?.(rejection));
    return { status: rejection.status, headers: rejection.status === 405 ? { allow: 'POST' } : {} };
  };

  const handle = async (callback: VerifiedCallback): Promise<EmptyAnswer> => {
    try {
      await handler(callback);
      return { status: 202, headers: {} };
    } catch (error) {
      quietly(() => onError(error));
      return { status: 500, headers: {} };
    }
  };

  return async (request) => {
    const unfit = httpFault(request);
    if (unfit) return reject({ ...unfit, checks: [] });
    const rawBody = await request.read(limitBytes);
    if (!rawBody) return reject({ status: 413, reason: 'size', checks: [] });
    const verdict = await verifier.verify(rawBody, request.headers);
    if (!verdict.valid) return reject({ status: 401, reason: verdict.failed, checks: verdict.checks });
    const { version, domain, deliveryId, callback, checks } = verdict;
    return handle({ version, domain, deliveryId, callback, checks, rawBody });
  };
}

function httpFault({ method, headers }: Incoming): Pick<Rejection, 'status' | 'reason'> | undefined {
  if (method !== 'POST') return { status: 405, reason: 'method' };
  if (!/^application\/json\s*(;|$)/i.test(one(headers['content-type']))) return { status: 415, reason: 'content-type' };
  if (!/^(identity)?$/i.test(one(headers['content-encoding']))) return { status: 415, reason: 'content-encoding' };
  return undefined;
}

const one = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join() ?? '');

/** A failing hook must not change the answer. */
export function quietly(hook: () => void): void {
  try {
    hook();
  } catch (error) {
    warn(error);
  }
}

export function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : new Error(String(error)));
}
