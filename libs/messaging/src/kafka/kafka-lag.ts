/// <reference types="./kafkajs-internals" />
import type { Kafka } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster';
import type { PartitionMetadata } from 'kafkajs/src/cluster';
import { LogAway } from '../errors';
import type { MeasuredPartition, PartitionLag } from '../port';
import type { ClusterNames } from './cluster-names';
import { hasLeader, withLenientCluster } from './lenient-cluster';

/** The first record that is left in a partition, and the offset of its next record. */
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

/** The lag of a group on these topics, from its committed positions. */
export function groupLag(
  kafka: Kafka,
  names: ClusterNames,
  group: string,
  topics: readonly string[],
): Promise<readonly MeasuredPartition[]> {
  const clusterTopics = topics.map((topic) => names.toCluster(topic));
  return withLenientCluster(kafka, clusterTopics, async (cluster) => {
    const known = clusterTopics.map((topic) => ({ topic, partitions: cluster.findTopicPartitionMetadata(topic) }));
    const groupId = names.toCluster(group);
    const coordinator = await cluster.findGroupCoordinator({ groupId });
    const { responses } = await coordinator.offsetFetch({
      groupId,
      topics: known.map(({ topic, partitions }) => ({ topic, partitions: partitions.map(askedOf) })),
    });
    const committed = new Map(responses.map(({ topic, partitions }) => [topic, partitions]));
    const measured = await Promise.all(
      known.map(async ({ topic, partitions }): Promise<readonly MeasuredPartition[]> => {
        const ends = await endsOf(cluster, topic, partitions.filter(hasLeader).map(askedOf));
        const name = names.fromCluster(topic);
        return [
          ...lagsOf(ends, committed.get(topic) ?? []).map((lag) => ({ topic: name, ...lag })),
          ...partitions
            .filter((partition) => !hasLeader(partition))
            .map(({ partitionId }) => ({ topic: name, partition: partitionId, lag: undefined, end: undefined })),
        ];
      }),
    );
    return measured.flat();
  });
}

const askedOf = ({ partitionId }: PartitionMetadata): { readonly partition: number } => ({
  partition: partitionId,
});

export async function endsOf(
  cluster: Cluster,
  topic: string,
  partitions: readonly { readonly partition: number }[],
): Promise<readonly PartitionEnds[]> {
  const offsetsFrom = async (fromBeginning: boolean) => {
    const [found] = await cluster.fetchTopicsOffset([{ topic, fromBeginning, partitions }]);
    return new Map(found?.partitions.map(({ partition, offset }) => [partition, offset]));
  };
  const [highs, lows] = [await offsetsFrom(false), await offsetsFrom(true)];
  return [...highs].map(([partition, high]) => ({ partition, high, low: lows.get(partition) ?? high }));
}

/** Rejects where a partition has no leader: it may hold records that the group has not read. */
export async function wholeGroupLag(...of: Parameters<typeof groupLag>): Promise<readonly PartitionLag[]> {
  const lags = await groupLag(...of);
  return lags.map((one) => {
    if (one.lag === undefined) throw new LogAway(`partition ${one.partition} of ${one.topic} has no leader`);
    return one;
  });
}
