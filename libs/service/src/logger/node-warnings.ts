import type { Logger } from './logger';

/** Logs Node's warnings without their text, which may quote a value. */
export function logWarnings(log: Logger): void {
  // Removes Node's own listener, which writes plain text.
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { readonly count?: unknown }) => {
    const { count } = warning;
    log.warn({ error: warning, ...(typeof count === 'number' && { count }) }, 'Node warns');
  });
}
