import { ErrorSummary } from '../error-summary';
import type { MessagingLogger } from '../port';

export const silentLogger: MessagingLogger = { warn: () => undefined, info: () => undefined };

/** The names and codes of an error and of its causes, the only part of it that is certain to hold no data of a person. */
export const summarise = (error: unknown): ErrorSummary => new ErrorSummary(error);
