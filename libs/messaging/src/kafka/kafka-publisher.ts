import { setTimeout as delay } from 'node:timers/promises';
import { withDeadline } from '@opendsr-service/contracts';
import { PublishRefused, PublishTimeout } from '../errors';
import type { MessagingLogger, Publisher, PublishOptions } from '../port';
import { sizedRecord, type OutgoingRecord } from '../records';
import { AcknowledgingProducer } from './acknowledging-producer';
import { createClient } from './client';
import type { KafkaOptions } from './client';
import type { ClusterNames } from './cluster-names';
import { PartitionQueue } from './partition-queue';
import type { Outbound } from './partition-queue';
import { SendLimiter } from './send-limiter';
import { TopicQueues } from './topic-queues';
import { topicShape } from './topic-shape';
import { defaultWaitingLimits, WaitingRecords } from './waiting-records';

const defaultDeadlineMs = 15_000;

/** Publishes to Kafka (decision 6): acknowledged by `min.insync.replicas` brokers, in order within a key. */
export class KafkaPublisher implements Publisher {
  private readonly waiting: WaitingRecords;
  private readonly refuseAfterMs: number;
  private readonly producer: AcknowledgingProducer;
  private readonly topics = new Map<string, { readonly queues: TopicQueues; readonly opened: Promise<void> }>();
  private readonly limiter = new SendLimiter();
  private readonly closing = new AbortController();

  constructor(
    private readonly options: KafkaOptions,
    private readonly names: ClusterNames,
    private readonly logger: MessagingLogger,
  ) {
    this.producer = new AcknowledgingProducer(() => createClient(options, logger), logger);
    const {
      maxWaitingRecords: maxRecords = defaultWaitingLimits.maxRecords,
      maxWaitingBytes: maxBytes = defaultWaitingLimits.maxBytes,
      refuseAfterMs = defaultWaitingLimits.refuseAfterMs,
    } = options;
    this.refuseAfterMs = refuseAfterMs;
    this.waiting = new WaitingRecords({ maxRecords, maxBytes, refuseAfterMs }, () => performance.now());
  }

  get available(): boolean {
    return this.waiting.progressing;
  }

  async publish(topic: string, records: readonly OutgoingRecord[], options: PublishOptions = {}): Promise<void> {
    if (this.closing.signal.aborted) throw new PublishRefused('closed', 'the log is closed');
    if (records.length === 0) return;
    const deadlineMs = options.deadlineMs ?? defaultDeadlineMs;
    await withDeadline(this.accept(topic, records), deadlineMs, () => {
      throw new PublishTimeout(`no acknowledgement from ${topic} in time`);
    });
  }

  /** Resolves once the producer has its id from a broker, and the partitions of the topics are known. */
  async open(topics: readonly string[]): Promise<void> {
    await Promise.all([this.producer.connect(), ...topics.map((topic) => this.opened(topic))]);
  }

  async close(): Promise<void> {
    this.closing.abort();
    const end = performance.now() + (this.options.closeTimeoutMs ?? 5_000);
    while (this.waiting.count > 0 && performance.now() < end) await delay(20);
    for (const { queues } of this.topics.values()) {
      queues.drain().forEach(({ settle }) => settle(new PublishRefused('closed', 'the log is closed')));
    }
    await this.producer.close();
  }

  private accept(topic: string, records: readonly OutgoingRecord[]): Promise<void> {
    const sized = records.map((record) => sizedRecord(topic, record));
    const queues = this.queuesOf(topic);
    // Otherwise one partition that takes nothing fills what all share.
    if (queues.areStuck(sized, this.refuseAfterMs))
      throw new PublishRefused('away', `a partition of ${topic} takes no records`);
    this.waiting.admit(
      sized.length,
      sized.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    return new Promise((resolve, reject) => {
      let left = sized.length;
      const settle = (error?: Error): void => {
        if (error) reject(error);
        else if (--left === 0) resolve();
      };
      queues.push(sized.map((record) => ({ ...record, settle })));
    });
  }

  private queuesOf(topic: string): TopicQueues {
    const known = this.topics.get(topic);
    if (known) return known.queues;
    const queues = new TopicQueues();
    const opened = this.openQueues(topic, queues);
    opened.catch(() => undefined);
    this.topics.set(topic, { queues, opened });
    return queues;
  }

  private async opened(topic: string): Promise<void> {
    this.queuesOf(topic);
    await this.topics.get(topic)?.opened;
  }

  private async openQueues(topic: string, queues: TopicQueues): Promise<void> {
    const clusterTopic = this.names.toCluster(topic);
    try {
      const kafka = createClient(this.options, this.logger);
      const { partitions, leaders } = await topicShape(kafka, clusterTopic, this.logger, this.closing.signal);
      this.limiter.allowAtLeast(leaders);
      queues.open(Array.from({ length: partitions }, (_, partition) => this.queue(clusterTopic, partition)));
    } catch (error) {
      // The next publish retries: the topic may exist by then.
      this.topics.delete(topic);
      this.settle(queues.drain(), error as Error);
      throw error;
    }
  }

  private queue(topic: string, partition: number): PartitionQueue {
    return new PartitionQueue({
      send: (messages) =>
        this.producer.send(
          topic,
          partition,
          messages.map((message) => ({ ...message, partition })),
        ),
      limiter: this.limiter,
      onSent: (batch, error) => this.settle(batch, error),
      clock: () => performance.now(),
    });
  }

  private settle(batch: readonly Outbound[], error: Error | undefined): void {
    const bytes = batch.reduce((sum, record) => sum + record.bytes, 0);
    if (error) this.waiting.release(batch.length, bytes);
    else this.waiting.acknowledged(batch.length, bytes);
    batch.forEach(({ settle }) => settle(error));
  }
}
