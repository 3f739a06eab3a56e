import { createVerifier } from '../verify/verifier';
import type { Check, CheckName, ValidVerdict, VerifyOptions } from '../verify/types';

/** A callback that passed every check, and the bytes that were signed. */
export interface VerifiedCallback extends Omit<ValidVerdict, 'valid'> {
  readonly rawBody: Buffer;
}

/** What is done with a callback. 202 is answered when it resolves; when it rejects, 500, so that the callback is sent again. */
export type CallbackHandler = (callback: VerifiedCallback) => Promise<void> | void;

/** Why a callback was not taken. It is for the log of the receiver: the sender is not told. */
export interface Rejection {
  readonly status: 401 | 405 | 413 | 415;
  readonly reason: CheckName | 'method' | 'content-type' | 'content-encoding' | 'size';
  /** The checks that were made, the failed one last; none where it did not come to them. */
  readonly checks: readonly Check[];
}

export interface CallbackOptions extends VerifyOptions {
  /** Larger bodies are refused. 65,536 where it is left out. */
  readonly limitBytes?: number;
  readonly onRejected?: (rejection: Rejection) => void;
  /** Told when the handler fails; without it Fastify's log, or a warning of the process, tells. A body whose bytes are gone is an error for the framework instead. */
  readonly onError?: (error: unknown) => void;
}

/** A request as every framework can give it. */
export interface Incoming {
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came; undefined where they are more than `limitBytes`. */
  read(limitBytes: number): Promise<Buffer | undefined>;
}

/** What is answered: a status, and an empty body always. */
export interface EmptyAnswer {
  readonly status: 202 | 500 | Rejection['status'];
  readonly headers: Readonly<Record<string, string>>;
}

const LIMIT_BYTES = 64 * 1024;

/** Takes callbacks for these options: reads, verifies, hands on, answers. It rejects only where the body cannot be read. */
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

/** What is wrong with the HTTP itself; a sender learns nothing from it that he did not know. */
function httpFault({ method, headers }: Incoming): Pick<Rejection, 'status' | 'reason'> | undefined {
  if (method !== 'POST') return { status: 405, reason: 'method' };
  if (!/^application\/json\s*(;|$)/i.test(one(headers['content-type']))) return { status: 415, reason: 'content-type' };
  if (!/^(identity)?$/i.test(one(headers['content-encoding']))) return { status: 415, reason: 'content-encoding' };
  return undefined;
}

const one = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join() ?? '');

/** A hook that fails must not change what is answered. */
function quietly(hook: () => void): void {
  try {
    hook();
  } catch (error) {
    warn(error);
  }
}

export function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : new Error(String(error)));
}
