import type { MessagingLogger } from '@opendsr-service/messaging';

/** Writes what happens to a child process to stderr. The suite keeps it in one file, to explain a failure. */
export const stderrLogger = (name: string): MessagingLogger => {
  const note = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    process.stderr.write(`${new Date().toISOString()} ${name} ${message} ${JSON.stringify(fields)}\n`);
  };
  return { info: note, warn: note };
};
