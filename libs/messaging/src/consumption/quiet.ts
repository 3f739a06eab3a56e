import type { LoopLogger } from '../port';

/** For a caller that gives no logger. */
export const quiet: LoopLogger = { warn: () => undefined, info: () => undefined };

/** The class of an error, the only part of it that is certain to hold no data of a person. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
