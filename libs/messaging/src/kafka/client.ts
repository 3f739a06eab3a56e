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
  /** TLS: what is trusted and shown. Name and chain of each broker are verified, whatever else is set. */
  readonly tls?: SecureContext;
  readonly sasl?: KafkaSasl;
  /** Prefix of topics and groups, so that installations can share a cluster. Records show topics without it. */
  readonly topicPrefix?: string;
  /** 3,000 by default. */
  readonly connectionTimeoutMs?: number;
  /** 15,000 by default: it must be longer than a broker's death takes the cluster. */
  readonly requestTimeoutMs?: number;
  /** 10,000 by default: how long the partitions of a member that died stand still. */
  readonly sessionTimeoutMs?: number;
  /** 15,000 by default: how long a rebalance waits for a busy member. One record must take less. */
  readonly rebalanceTimeoutMs?: number;
  /** 30,000 by default: limit of a consumer's silence, doubled up to eightfold. Longer than `rebalanceTimeoutMs`. */
  readonly silentAfterMs?: number;
  /** 3,000 by default: target time of a chunk. Several times shorter than `rebalanceTimeoutMs`. */
  readonly chunkMs?: number;
  /** 10,000 records and 16 MiB by default: what may wait for its acknowledgement. */
  readonly maxWaitingRecords?: number;
  readonly maxWaitingBytes?: number;
  /** 1,000 by default: without any acknowledgement for so long, while records wait, the log counts as away. */
  readonly refuseAfterMs?: number;
  /** 5,000 by default: how long closing waits for records to be acknowledged. */
  readonly closeTimeoutMs?: number;
  /** 3,000 by default: limit of each cleanup step after a read, such as deleting its group. */
  readonly tidyTimeoutMs?: number;
}

/** Short, because each of our own loops retries for ever. */
export const shortRetries = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 };
export const metadataMaxAgeMs = 30_000;

function saslOf(sasl: KafkaSasl) {
  if (sasl.mechanism !== 'oauthbearer') return sasl;
  return { mechanism: 'oauthbearer' as const, oauthBearerProvider: async () => ({ value: await sasl.token() }) };
}

/** Producers and consumers need a client each: kafkajs keeps committed positions per client and group. */
export function createClient(options: KafkaOptions, logger: MessagingLogger): Kafka {
  return patchedKafka({
    brokers: [...options.brokers],
    clientId: options.clientId,
    // Explicit: Node takes another default from its environment.
    ...(options.tls && { ssl: { secureContext: options.tls, rejectUnauthorized: true } }),
    ...(options.sasl && { sasl: saslOf(options.sasl) }),
    connectionTimeout: options.connectionTimeoutMs ?? 3_000,
    requestTimeout: options.requestTimeoutMs ?? 15_000,
    retry: shortRetries,
    logLevel: logLevel.ERROR,
    logCreator: () => (entry: LogEntry) => clientLogFor(logger).writeEntry(entry),
  });
}

/** Runs one admin request on its own connection. Rejects with a ConnectionFault where brokers answer, but refuse us. */
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
