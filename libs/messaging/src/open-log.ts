import { EmbeddedLog } from './embedded/embedded-log';
import type { EmbeddedLogOptions } from './embedded/embedded-log';
import type { Log } from './port';

export interface OpenLogOptions {
  readonly embedded?: Omit<EmbeddedLogOptions, 'now'>;
  /** The clock of record times and retention; the system's by default. */
  readonly now?: () => number;
}

/** Opens the log. Exactly one of the adapters must be named. */
export async function openLog(options: OpenLogOptions): Promise<Log> {
  const now = options.now ?? Date.now;
  if (options.embedded) return EmbeddedLog.open({ ...options.embedded, now });
  throw new Error('name the embedded log or the Kafka brokers');
}
