import type { MessagingLogger } from '@opendsr-service/messaging';

/** Where the children say what happened to them: the suite keeps it in one file, for whoever has to find out why it failed. */
export const diary = (name: string): MessagingLogger => {
  const note = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    process.stderr.write(`${new Date().toISOString()} ${name} ${message} ${JSON.stringify(fields)}\n`);
  };
  return { info: note, warn: note };
};
