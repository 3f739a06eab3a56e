import type { Kafka } from 'kafkajs';
import type { PartitionLag } from '../port';
import { withAdmin } from './client';
import type { Names } from './names';

/** How far a group is behind, from its committed positions. A partition without one is read from its first record. */
export function groupLag(kafka: Kafka, names: Names, group: string, topics: readonly string[]): Promise<readonly PartitionLag[]> {
  return withAdmin(kafka, async (admin) => {
    const clusterTopics = topics.map((topic) => names.onCluster(topic));
    const committed = await admin.fetchOffsets({ groupId: names.onCluster(group), topics: clusterTopics });
    const lags = await Promise.all(
      committed.map(async ({ topic, partitions }) => {
        const positions = new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
        const ends = await admin.fetchTopicOffsets(topic);
        return ends.map(({ partition, high, low }) => {
          const position = positions.get(partition) ?? -1n;
          const lag = BigInt(high) - (position < 0n ? BigInt(low) : position);
          return { topic: names.ours(topic), partition, lag: Number(lag) };
        });
      }),
    );
    return lags.flat();
  });
}
