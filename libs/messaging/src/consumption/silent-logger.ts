import type { MessagingLogger } from '../port';

export const silentLogger: MessagingLogger = { warn: () => undefined, info: () => undefined };
