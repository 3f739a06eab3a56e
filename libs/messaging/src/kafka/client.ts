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
  /**
   * Put before every topic and group, so that several installations can share a cluster. Records show their topic
   * without it.
   */
  readonly topicPrefix?: string;
  /** 3,000 by default. */
  readonly connectionTimeoutMs?: number;
  /** 15,000 by default: it must be longer than a broker's death takes the cluster. */
  readonly requestTimeoutMs?: number;
  /** 10,000 by default: how long the partitions of a member that died stand still. */
  readonly sessionTimeoutMs?: number;
  /**
   * 15,000 by default: how long a group that shares out its partitions waits for a member that handles records. One
   * record must take less.
   */
  readonly rebalanceTimeoutMs?: number;
  /**
   * 30,000 by default: a consumer that gave no sign of life for so long is made anew; twice as long each time in a row,
   * up to eight times. Longer than `rebalanceTimeoutMs`.
   */
  readonly silentAfterMs?: number;
  /**
   * 3,000 by default: how many records a handler is given at once follows from how many it took in so long. Several
   * times shorter than `rebalanceTimeoutMs`.
   */
  readonly chunkMs?: number;
  /** 10,000 records and 16 MiB by default: what may wait for its acknowledgement. */
  readonly maxWaitingRecords?: number;
  readonly maxWaitingBytes?: number;
  /** 1,000 by default: without any acknowledgement for so long, while records wait, the log counts as away. */
  readonly refuseAfterMs?: number;
  /** 5,000 by default: how long closing waits for records to be acknowledged. */
  readonly closeTimeoutMs?: number;
  /**
   * 3,000 by default: how long each step of tidying up after a read may take, such as deleting its group, before it is
   * left undone.
   */
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
