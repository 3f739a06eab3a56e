import { setTimeout as delay } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import { ErrorSummary } from '../error-summary';
import { PublishRefused } from '../errors';
import type { MessagingLogger } from '../port';
import { withAdmin } from './client';
import { unknownTopic } from './faults';

export interface TopicShape {
  readonly partitions: number;
  readonly leaders: number;
}

/** Retries until a broker knows the partitions. Rejects with PublishRefused: no such topic, or aborted. */
export async function topicShape(
  kafka: Kafka,
  topic: string,
  logger: MessagingLogger,
  signal: AbortSignal,
): Promise<TopicShape> {
  const backoff = new Backoff(100, 1_000);
  for (;;) {
    try {
      const { topics } = await withAdmin(kafka, (admin) => admin.fetchTopicMetadata({ topics: [topic] }));
      const partitions = topics[0]?.partitions ?? [];
      if (partitions.length > 0)
        return { partitions: partitions.length, leaders: new Set(partitions.map(({ leader }) => leader)).size };
      logger.warn({ topic }, 'partitions not known yet');
    } catch (error) {
      if (unknownTopic(error)) throw new PublishRefused('unknown-topic', `topic ${topic} does not exist`);
      logger.warn({ topic, error: new ErrorSummary(error) }, 'partitions not known yet');
    }
    await delay(backoff.next(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new PublishRefused('closed', 'the log is closed');
  }
}
