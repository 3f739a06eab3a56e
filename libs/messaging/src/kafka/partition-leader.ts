/// <reference types="./kafkajs-internals" />
import type { Kafka } from 'kafkajs';
import type Broker from 'kafkajs/src/broker';
import type Cluster from 'kafkajs/src/cluster';
import Batch from 'kafkajs/src/consumer/batch';
import { LogAway } from '../errors';
import type { ClusterNames } from './cluster-names';
import { clusterOf } from './cluster-of';
import { disconnect } from './disconnect';
import type { ReadDeadline } from './read-deadline';

/** Of one fetch; a record may have more. */
const fetchBytes = 512 * 1024;
const fetchWaitMs = 100;

export interface ReadParts {
  readonly kafka: Kafka;
  readonly names: ClusterNames;
  readonly closed: AbortSignal;
  readonly tidyTimeoutMs: number;
}

/** Does the work on a cluster of its own. The time until it is connected counts for the deadline. */
export async function onCluster<T>(
  { kafka, tidyTimeoutMs }: Pick<ReadParts, 'kafka' | 'tidyTimeoutMs'>,
  deadline: ReadDeadline,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const cluster = clusterOf(kafka);
  const connecting = cluster.connect();
  try {
    await deadline.race(connecting);
    return await work(cluster);
  } finally {
    await disconnect(cluster, connecting, tidyTimeoutMs);
  }
}

/** A partition, and the broker that leads it. `topic`: as the cluster knows it. */
export interface PartitionLeader {
  readonly topic: string;
  readonly partition: number;
  readonly broker: Broker;
}

export async function leaderOf(cluster: Cluster, topic: string, partition: number): Promise<PartitionLeader> {
  const [nodeId = ''] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  return { topic, partition, broker: await cluster.findBroker({ nodeId }) };
}

/** The first record that is not older; -1: all are. */
export async function offsetAt(
  { topic, partition, broker }: PartitionLeader,
  timestamp: number,
): Promise<{ readonly offset: bigint; readonly timestampMs: number }> {
  const { responses } = await broker.listOffsets({ topics: [{ topic, partitions: [{ partition, timestamp }] }] });
  const found = answered(responses[0]?.partitions[0]);
  return { offset: BigInt(found.offset), timestampMs: Number(found.timestamp) };
}

export async function fetchFrom({ topic, partition, broker }: PartitionLeader, fetchOffset: string): Promise<Batch> {
  const { responses } = await broker.fetch({
    maxWaitTime: fetchWaitMs,
    maxBytes: fetchBytes,
    topics: [{ topic, partitions: [{ partition, fetchOffset, maxBytes: fetchBytes }] }],
  });
  return new Batch(topic, fetchOffset, answered(responses[0]?.partitions[0]));
}

function answered<P>(partition: P | undefined): P {
  if (partition === undefined) throw new LogAway('a broker answered without the partition that was asked for');
  return partition;
}
