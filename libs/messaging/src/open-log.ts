import { silentLogger } from './consumption/silent-logger';
import { EmbeddedLog } from './embedded/embedded-log';
import type { EmbeddedLogOptions } from './embedded/embedded-log';
import type { KafkaOptions } from './kafka/client';
import { KafkaLog } from './kafka/kafka-log';
import type { EventLog, MessagingLogger } from './port';
import { tracedLog } from './tracing/traced-log';

export interface OpenLogOptions {
  readonly kafka?: KafkaOptions;
  readonly embedded?: Omit<EmbeddedLogOptions, 'now' | 'logger'>;
  /** The clock of record times and retention on the embedded log; the system's by default. */
  readonly now?: () => number;
  readonly logger?: MessagingLogger;
  /** Whether to create spans and to propagate their context in a header. Default: false. */
  readonly traced?: boolean;
}

/**
 * Opens the event log; exactly one adapter must be given. Does not wait for Kafka: a service starts during an outage.
 */
export async function openLog(options: OpenLogOptions): Promise<EventLog> {
  const log = await openAdapter(options);
  return options.traced ? tracedLog(log) : log;
}

async function openAdapter(options: OpenLogOptions): Promise<EventLog> {
  const { kafka, embedded } = options;
  const { now = Date.now, logger = silentLogger } = options;
  if (kafka && !embedded) return new KafkaLog(kafka, logger);
  if (embedded && !kafka) return EmbeddedLog.open({ ...embedded, now, logger });
  throw new Error('name either the embedded log or the Kafka brokers');
}
