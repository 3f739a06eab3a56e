import type { Logger } from './logger';

/** Logs Node's warnings without their text: a deprecation may repeat a value. */
export function logWarnings(log: Logger): void {
  // Node's own listener, which writes plain text; there is no other way to be rid of it once the process runs.
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { readonly count?: unknown }) => {
    const { count } = warning;
    log.warn({ error: warning, ...(typeof count === 'number' && { count }) }, 'Node warns');
  });
}
