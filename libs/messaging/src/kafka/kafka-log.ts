import { quiet } from '../consumption/quiet';
import type { Consumer, ConsumeOptions, Log, LoopLogger } from '../port';
import { connectTo } from './client';
import type { KafkaOptions } from './client';
import { KafkaConsumer } from './kafka-consumer';
import { KafkaPublisher } from './kafka-publisher';
import { KafkaTopics } from './kafka-topics';
import { Names } from './names';

/** The log on a Kafka cluster, through kafkajs. Connects when it is first used, and through every outage again. */
export class KafkaLog implements Log {
  readonly kind = 'kafka';
  readonly publisher: KafkaPublisher;
  readonly topics: KafkaTopics;
  private readonly names: Names;
  private readonly consumers = new Set<Consumer>();

  constructor(
    private readonly options: KafkaOptions,
    private readonly logger: LoopLogger,
  ) {
    this.names = new Names(options.topicPrefix ?? '');
    this.publisher = new KafkaPublisher(options, this.names, logger);
    this.topics = new KafkaTopics(() => connectTo(options, logger), this.names);
  }

  consume(options: ConsumeOptions): Promise<Consumer> {
    const logger = options.logger ?? quiet;
    const parts = { newClient: () => connectTo(this.options, logger), names: this.names, sessionTimeoutMs: this.options.sessionTimeoutMs ?? 10_000 };
    const consumer = new KafkaConsumer(parts, options, { ...options, handle: (records) => options.handle(records), logger });
    this.consumers.add(consumer);
    return Promise.resolve(consumer);
  }

  async close(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.close()));
    await this.publisher.close();
  }
}
