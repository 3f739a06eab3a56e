import type { Kafka } from 'kafkajs';
import type { PartitionLag } from '../port';
import { withAdmin } from './client';
import type { ClusterNames } from './cluster-names';

export interface PartitionEnds {
  readonly partition: number;
  readonly low: string;
  readonly high: string;
}

interface Position {
  readonly partition: number;
  readonly offset: string;
}

/** A partition without a position is read from its first record. */
export function lagsOf(
  ends: readonly PartitionEnds[],
  committed: readonly Position[],
): readonly Omit<PartitionLag, 'topic'>[] {
  const positions = new Map(committed.map(({ partition, offset }) => [partition, BigInt(offset)]));
  return ends.map(({ partition, high, low }) => {
    const position = positions.get(partition) ?? -1n;
    const lag = BigInt(high) - (position < 0n ? BigInt(low) : position);
    // The end may have been fetched before the group passed it.
    return { partition, end: high, lag: lag < 0n ? 0 : Number(lag) };
  });
}

export function groupLag(
  kafka: Kafka,
  names: ClusterNames,
  group: string,
  topics: readonly string[],
): Promise<readonly PartitionLag[]> {
  return withAdmin(kafka, async (admin) => {
    const clusterTopics = topics.map((topic) => names.toCluster(topic));
    const committed = await admin.fetchOffsets({ groupId: names.toCluster(group), topics: clusterTopics });
    const lags = await Promise.all(
      committed.map(async ({ topic, partitions }) =>
        lagsOf(await admin.fetchTopicOffsets(topic), partitions).map((lag) => ({
          topic: names.fromCluster(topic),
          ...lag,
        })),
      ),
    );
    return lags.flat();
  });
}
