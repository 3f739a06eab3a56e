import type { components } from './operator';

type ProblemBody = components['schemas']['Error'];

interface ProblemFacts {
  /** 0: no answer came; -1: it came, and this page could not read it. */
  readonly status: number;
  readonly detail: string;
  /** The name of the fault. */
  readonly reason?: string | undefined;
  /** The id of the call in the logs of the service. */
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** An answer that is no success, or none at all. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, detail, reason, requestId, retryAfterSeconds }: ProblemFacts) {
    super(detail);
    this.status = status;
    this.reason = reason;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reads an answer that is no success. */
export async function problemOf(answer: Response): Promise<Problem> {
  const body = (await answer.json().catch(() => ({}))) as Partial<ProblemBody>;
  const retryAfterSeconds = Number(answer.headers.get('retry-after'));
  return new Problem({
    status: answer.status,
    detail: body.errors?.map(({ message }) => message).join(' ') ?? body.detail ?? answer.statusText,
    reason: body.errors?.[0]?.reason,
    requestId: answer.headers.get('x-request-id') ?? undefined,
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}

/** Whatever was thrown, as a problem. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem({
        // Browsers say so of a network that fails.
        status: error instanceof TypeError ? 0 : -1,
        detail: error instanceof Error ? error.message : String(error),
      });

const PASSING: readonly number[] = [0, 429, 502, 503, 504];

/** Whether the same call may succeed a little later. */
export const isPassing = (error: unknown): boolean => PASSING.includes(asProblem(error).status);
