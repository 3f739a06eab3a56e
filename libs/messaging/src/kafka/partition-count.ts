import { setTimeout as delay } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import { nameOf } from '../consumption/quiet';
import { PublishRefused } from '../errors';
import type { LoopLogger } from '../port';
import { withAdmin } from './client';
import { unknownTopic } from './faults';

/** Asks for a topic's partitions until a broker answers. Rejects with PublishRefused where the topic does not exist, or when aborted. */
export async function partitionCount(kafka: Kafka, topic: string, logger: LoopLogger, signal: AbortSignal): Promise<number> {
  const backoff = new Backoff(100, 1_000);
  for (;;) {
    try {
      const { topics } = await withAdmin(kafka, (admin) => admin.fetchTopicMetadata({ topics: [topic] }));
      return topics[0]?.partitions.length ?? 0;
    } catch (error) {
      if (unknownTopic(error)) throw new PublishRefused('unknown-topic', `topic ${topic} does not exist`);
      logger.warn({ topic, error: nameOf(error) }, 'partitions not known yet');
    }
    await delay(backoff.next(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new PublishRefused('closed', 'the log is closed');
  }
}
