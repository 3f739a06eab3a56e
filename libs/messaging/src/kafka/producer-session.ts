import { withDeadline } from '@opendsr-service/contracts';
import { Partitioners } from 'kafkajs';
import type { Kafka, Message, Producer } from 'kafkajs';
import { metadataMaxAgeMs } from './client';

const retireAfterMs = 5_000;

export class ProducerSession {
  private readonly inFlight = new Set<Promise<unknown>>();

  private constructor(private readonly producer: Producer) {}

  static async start(kafka: Kafka): Promise<ProducerSession> {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      metadataMaxAge: metadataMaxAgeMs,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      // Our own loop retries for ever; short inner retries let it replace the producer.
      retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 2 },
    });
    try {
      await producer.connect();
    } catch (error) {
      void producer.disconnect().catch(() => undefined);
      throw error;
    }
    return new ProducerSession(producer);
  }

  /** Resolves when the partition's leader has acknowledged the batch for all in-sync replicas. */
  async send(topic: string, partition: number, messages: Message[]): Promise<void> {
    const sending = this.producer.send({ topic, acks: -1, messages });
    this.inFlight.add(sending);
    try {
      const results = await sending;
      // kafkajs has resolved sends that it never made, so the response must name the partition.
      const named = results.some(
        (result) => result.topicName === topic && result.partition === partition && result.errorCode === 0,
      );
      if (!named) throw new Error('kafkajs resolved a send without an answer from the partition');
    } finally {
      this.inFlight.delete(sending);
    }
  }

  /** Disconnects once its sends are answered, or after `graceMs`; rejects the rest. */
  async retire(graceMs = retireAfterMs): Promise<void> {
    await withDeadline(Promise.allSettled([...this.inFlight]), graceMs, () => undefined);
    await this.producer.disconnect().catch(() => undefined);
  }
}
