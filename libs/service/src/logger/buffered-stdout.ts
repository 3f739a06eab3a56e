import { pino } from 'pino';

const longestHeld = 8_192;
const longestWaitMs = 100;

interface BufferedLines {
  write(line: string): void;
  flushSync(): void;
}

/**
 * Stdout that takes lines together: one write for 8 KiB of them, or for those of 100 ms. The writes are synchronous, and
 * the last one is made at exit: an asynchronous write that is under way then may be lost, cut or overtaken.
 */
export function bufferedStdout(): BufferedLines {
  const out = pino.destination({ fd: 1, sync: true });
  let held = '';
  let timer: NodeJS.Timeout | undefined;
  const flushSync = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = held;
    held = '';
    if (lines !== '') out.write(lines);
  };
  process.on('exit', flushSync);
  return {
    write: (line) => {
      held += line;
      if (held.length >= longestHeld) flushSync();
      else timer ??= setTimeout(flushSync, longestWaitMs).unref();
    },
    flushSync,
  };
}
