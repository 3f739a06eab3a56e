import type { components } from './operator';

type ProblemBody = components['schemas']['Error'];

/** An answer that is no success, or none at all (`status` 0). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    detail: string,
    /** The id of the call in the logs of the service. */
    readonly requestId: string | undefined,
    readonly retryAfterSeconds: number | undefined,
    readonly reasons: readonly string[],
  ) {
    super(detail);
  }
}

/** Reads an answer that is no success. */
export async function problemOf(answer: Response): Promise<Problem> {
  const body = (await answer.json().catch(() => ({}))) as Partial<ProblemBody>;
  const retryAfter = Number(answer.headers.get('retry-after'));
  return new Problem(
    answer.status,
    body.errors?.map(({ message }) => message).join(' ') ?? body.detail ?? answer.statusText,
    answer.headers.get('x-request-id') ?? undefined,
    Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined,
    body.errors?.map(({ reason }) => reason) ?? [],
  );
}

/** Whatever was thrown, as a problem. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem(0, error instanceof Error ? error.message : String(error), undefined, undefined, []);

const PASSING: readonly number[] = [0, 429, 502, 503, 504];

/** Whether the same call may succeed a little later. */
export const isPassing = (error: unknown): boolean => PASSING.includes(asProblem(error).status);
