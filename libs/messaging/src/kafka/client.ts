import type { SecureContext } from 'node:tls';
import { logLevel } from 'kafkajs';
import type { Admin, Kafka, LogEntry } from 'kafkajs';
import type { MessagingLogger } from '../port';
import { patchedKafka } from './patched-kafka';
import { clientLogFor } from './client-log';
import { connectionFault } from './connection-fault';

interface Password<Mechanism> {
  readonly mechanism: Mechanism;
  readonly username: string;
  readonly password: string;
}

export type KafkaSasl =
  | Password<'plain'>
  | Password<'scram-sha-256'>
  | Password<'scram-sha-512'>
  | { readonly mechanism: 'oauthbearer'; readonly token: () => Promise<string> };

export interface KafkaOptions {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** TLS settings. The name and chain of each broker are always verified. */
  readonly tls?: SecureContext;
  readonly sasl?: KafkaSasl;
  /** Prefix of topics and groups, so that installations can share a cluster. Records show topics without it. */
  readonly topicPrefix?: string;
  /** Default: 3,000. */
  readonly connectionTimeoutMs?: number;
  /** Default: 15,000. Must be longer than a failover of the cluster. */
  readonly requestTimeoutMs?: number;
  /** Default: 10,000. How long the partitions of a dead member wait. */
  readonly sessionTimeoutMs?: number;
  /** Default: 15,000. How long a rebalance waits for a busy member. One record must take less. */
  readonly rebalanceTimeoutMs?: number;
  /** Default: 30,000. Limit of a consumer's silence, doubled up to eightfold. Longer than `rebalanceTimeoutMs`. */
  readonly silentAfterMs?: number;
  /** Default: 3,000. Target time of a chunk, much shorter than `rebalanceTimeoutMs`. */
  readonly chunkMs?: number;
  /** Default: 10,000 records and 16 MiB. Limits of unacknowledged records. */
  readonly maxWaitingRecords?: number;
  readonly maxWaitingBytes?: number;
  /** Default: 1,000. The log counts as away after this time without an acknowledgement while records wait. */
  readonly refuseAfterMs?: number;
  /** Default: 5,000. How long closing waits for acknowledgements. */
  readonly closeTimeoutMs?: number;
  /** Default: 3,000. Limit of each cleanup step after a read. */
  readonly tidyTimeoutMs?: number;
}

/** Short, because our own loops retry for ever. */
const shortRetries = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 };
export const metadataMaxAgeMs = 30_000;

function saslOf(sasl: KafkaSasl) {
  if (sasl.mechanism !== 'oauthbearer') return sasl;
  return { mechanism: 'oauthbearer' as const, oauthBearerProvider: async () => ({ value: await sasl.token() }) };
}

/** Producers and consumers need separate clients: kafkajs keeps committed positions per client and group. */
export function createClient(options: KafkaOptions, logger: MessagingLogger): Kafka {
  return patchedKafka({
    brokers: [...options.brokers],
    clientId: options.clientId,
    // Explicit, because the environment can change Node's default.
    ...(options.tls && { ssl: { secureContext: options.tls, rejectUnauthorized: true } }),
    ...(options.sasl && { sasl: saslOf(options.sasl) }),
    connectionTimeout: options.connectionTimeoutMs ?? 3_000,
    requestTimeout: options.requestTimeoutMs ?? 15_000,
    retry: shortRetries,
    logLevel: logLevel.ERROR,
    logCreator: () => (entry: LogEntry) => clientLogFor(logger).writeEntry(entry),
  });
}

/** Runs one admin request on its own connection. Rejects with a ConnectionFault where brokers refuse access. */
export async function withAdmin<T>(kafka: Kafka, errand: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await errand(admin);
  } catch (error) {
    throw connectionFault(error) ?? error;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
