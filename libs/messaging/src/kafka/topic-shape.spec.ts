import type { ITopicMetadata, Kafka, PartitionMetadata } from 'kafkajs';
import { silentLogger } from '../consumption/silent-logger';
import { topicShape } from './topic-shape';

const partition = (partitionId: number, leader: number): PartitionMetadata => ({
  partitionErrorCode: 0,
  partitionId,
  leader,
  replicas: [leader],
  isr: [leader],
});

/** A cluster whose broker gives these answers for the topic, one after the other. */
function cluster(...answers: readonly ITopicMetadata[][]): Kafka {
  const left = [...answers];
  const admin = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    fetchTopicMetadata: () => Promise.resolve({ topics: left.shift() ?? [] }),
  };
  return { admin: () => admin } as unknown as Kafka;
}

const whole = { name: 'orders', partitions: [partition(0, 1), partition(1, 2), partition(2, 1)] };
const shapeOf = (kafka: Kafka, signal = new AbortController().signal) =>
  topicShape(kafka, 'orders', silentLogger, signal);

it('asks again if a broker knows a topic but none of its partitions yet', async () => {
  expect(await shapeOf(cluster([{ name: 'orders', partitions: [] }], [], [whole]))).toEqual({
    partitions: 3,
    leaders: 2,
  });
});

it('gives up when the event log is closed meanwhile', async () => {
  await expect(shapeOf(cluster(), AbortSignal.abort())).rejects.toMatchObject({
    name: 'PublishRefused',
    reason: 'closed',
  });
});
