import type { LoopLogger } from '../port';

/** For a caller that gives no logger. */
export const quiet: LoopLogger = { warn: () => undefined, info: () => undefined };

const DEPTH = 4;

/** The classes of an error and of its causes, the only part of it that is certain to hold no data of a person. */
export function namesOf(error: unknown, depth = DEPTH): string[] {
  if (!(error instanceof Error)) return [typeof error];
  const isMore = error.cause !== undefined && depth > 1;
  return [error.name, ...(isMore ? namesOf(error.cause, depth - 1) : [])];
}
