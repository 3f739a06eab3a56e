import { withDeadline } from '@opendsr-service/contracts';
import { CHUNK_MS } from '../consumption/chunk-sizer';
import { silentLogger } from '../consumption/silent-logger';
import { LogAway } from '../errors';
import type {
  Consumer,
  ConsumeOptions,
  EventLog,
  KeyQuestion,
  KeyRead,
  KeyReadDenied,
  MessagingLogger,
  PartitionLag,
  ReadOptions,
} from '../port';
import type { Positions } from '../records';
import { createClient } from './client';
import type { KafkaOptions } from './client';
import { KafkaConsumer } from './kafka-consumer';
import { KafkaGroups } from './kafka-groups';
import { wholeGroupLag } from './kafka-lag';
import { KafkaPublisher } from './kafka-publisher';
import { readKey } from './read-key';
import { readTopic } from './kafka-read';
import type { ReadRequest } from './kafka-read';
import { KafkaTopics } from './kafka-topics';
import { ClusterNames } from './cluster-names';

/** The event log on a Kafka cluster, through kafkajs. Connects at its first use, and again after every outage. */
export class KafkaLog implements EventLog {
  readonly kind = 'kafka';
  readonly publisher: KafkaPublisher;
  readonly topics: KafkaTopics;
  private readonly names: ClusterNames;
  private readonly groups: KafkaGroups;
  private readonly consumers = new Set<Consumer>();
  private readonly reads = new Set<Promise<unknown>>();
  private readonly closed = new AbortController();

  constructor(
    private readonly options: KafkaOptions,
    private readonly logger: MessagingLogger,
  ) {
    this.names = new ClusterNames(options.topicPrefix ?? '');
    this.publisher = new KafkaPublisher(options, this.names, logger);
    this.topics = new KafkaTopics(() => createClient(options, logger), this.names);
    this.groups = new KafkaGroups(() => createClient(options, logger));
  }

  consume(options: ConsumeOptions): Promise<Consumer> {
    const logger = options.logger ?? silentLogger;
    const {
      sessionTimeoutMs = 10_000,
      rebalanceTimeoutMs = 15_000,
      silentAfterMs = 30_000,
      chunkMs = CHUNK_MS,
    } = this.options;
    const parts = {
      newClient: () => createClient(this.options, logger),
      names: this.names,
      sessionTimeoutMs,
      rebalanceTimeoutMs,
      silentAfterMs,
      chunkMs,
    };
    const consumer = new KafkaConsumer(parts, options);
    this.consumers.add(consumer);
    return Promise.resolve(consumer);
  }

  async read(
    topic: string,
    from: Positions,
    handle: ReadRequest['handle'],
    options: ReadOptions = {},
  ): Promise<Positions> {
    const deadlineMs = options.deadlineMs ?? 60_000;
    return this.tracked(readTopic(this.readParts(), { topic, from, handle, deadlineMs }));
  }

  readKey(question: KeyQuestion): Promise<readonly (KeyRead | KeyReadDenied)[]> {
    return this.tracked(readKey(this.readParts(), question));
  }

  openPublisher(topics: readonly string[], deadlineMs: number): Promise<void> {
    return withDeadline(this.publisher.open(topics), deadlineMs, () => {
      throw new LogAway('no broker has acknowledged the producer');
    });
  }

  lag(group: string, topics: readonly string[]): Promise<readonly PartitionLag[]> {
    return wholeGroupLag(createClient(this.options, this.logger), this.names, group, topics);
  }

  hasMembers(group: string): Promise<boolean> {
    return this.groups.hasMembers(this.names.toCluster(group));
  }

  rewind(group: string): Promise<void> {
    return this.groups.rewind(this.names.toCluster(group));
  }

  async close(): Promise<void> {
    this.closed.abort(new LogAway('the log is closed'));
    await Promise.allSettled(this.reads);
    await Promise.all([...this.consumers].map((consumer) => consumer.close()));
    await this.publisher.close();
  }

  private readParts() {
    return {
      kafka: createClient(this.options, this.logger),
      names: this.names,
      closed: this.closed.signal,
      tidyTimeoutMs: this.options.tidyTimeoutMs ?? 3_000,
    };
  }

  /** `close` waits for it. */
  private tracked<T>(read: Promise<T>): Promise<T> {
    this.reads.add(read);
    return read.finally(() => this.reads.delete(read));
  }
}
