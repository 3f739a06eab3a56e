/// <reference types="./kafkajs-internals" />
import type { Kafka } from 'kafkajs';
import type Broker from 'kafkajs/src/broker';
import type Cluster from 'kafkajs/src/cluster';
import type { PartitionMetadata, TopicMetadata } from 'kafkajs/src/cluster';
import { requests } from 'kafkajs/src/protocol/requests';
import { clusterOf } from './cluster-of';
import { connectionFault } from './connection-fault';

const METADATA = 3;

/** Whether a broker leads it. Kafka calls the leader of a partition whose brokers are all away -1. */
export const hasLeader = ({ leader }: PartitionMetadata): boolean => leader >= 0;

const withLeaders = ({ partitionMetadata, ...topic }: TopicMetadata): TopicMetadata => ({
  ...topic,
  partitionMetadata: partitionMetadata.filter(hasLeader),
});

/** kafkajs refuses the metadata of all topics where one partition has no leader. */
async function describe(broker: Broker, topics: readonly string[]): Promise<unknown> {
  const { request, response } = broker.lookupRequest(
    METADATA,
    requests.Metadata,
  )({ topics, allowAutoTopicCreation: false });
  const parse = async (data: { readonly topicMetadata: readonly TopicMetadata[] }) => {
    await response.parse({ ...data, topicMetadata: data.topicMetadata.map(withLeaders) });
    return data;
  };
  return broker.connectionPool.send({ request, response: { ...response, parse } });
}

/**
 * Runs one request on a cluster of its own that knows these topics, those of their partitions that have no leader among
 * them. Rejects with a ConnectionFault where brokers refuse access.
 */
export async function withLenientCluster<T>(
  kafka: Kafka,
  topics: readonly string[],
  errand: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const cluster = clusterOf(kafka);
  try {
    await cluster.connect();
    const { seedBroker } = cluster.brokerPool;
    // The first question of a cluster goes there, and this cluster asks once.
    if (seedBroker) seedBroker.metadata = (asked) => describe(seedBroker, asked);
    await cluster.addMultipleTargetTopics(topics);
    return await errand(cluster);
  } catch (error) {
    throw connectionFault(error) ?? error;
  } finally {
    await cluster.disconnect().catch(() => undefined);
  }
}
